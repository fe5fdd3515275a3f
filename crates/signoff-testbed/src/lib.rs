//! What tests stand on: a real PostgreSQL server of their own, in a temporary directory and reachable through a Unix socket
//! in it alone. It is gone when the process that started it is, however that ends. No part of the product.
//!
//! The server's own programs have to be installed (Debian: `postgresql`). PostgreSQL refuses to run as root, so that a test
//! that does hands it to a user without rights.

mod installed;
mod server;
mod watchdog;
mod wire;

pub use server::{Database, Durability, Server};
pub use wire::{Afterwards, Cut, Wire};
