//! What goes over the wire. These types are the API's and nobody else's.

pub(crate) mod approval;
pub(crate) mod deviation;
pub(crate) mod grant;
pub(crate) mod names;
pub(crate) mod operation;
pub(crate) mod setting;
pub(crate) mod statistics;
pub(crate) mod verdict;
