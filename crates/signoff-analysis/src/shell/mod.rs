//! Shell commands: the parser, the reading of its tree, and what each family of commands does.

pub mod syntax;
