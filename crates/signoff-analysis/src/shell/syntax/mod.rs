//! The shell parser: text in, tree and errors out. It never fails, never panics and never loses a command silently:
//! whatever it could not read is an error in the tree, and the reader of the tree asks.

pub mod tree;
