//! Something that is copied often and changed rarely: copies share it until one of them is changed.

use std::{
    ops::{Deref, DerefMut},
    rc::Rc,
};

/// A value that its copies share. Writing to one copies what is shared, so a place that is passed often looks first
/// whether there is anything to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shared<T>(Rc<T>);

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Rc::make_mut(&mut self.0)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Rc::new(value))
    }
}

impl<T: Clone> Shared<T> {
    /// The value itself.
    pub(super) fn into_inner(self) -> T {
        Rc::unwrap_or_clone(self.0)
    }
}
