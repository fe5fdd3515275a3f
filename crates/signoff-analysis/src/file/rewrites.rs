//! What becomes of the text of a file, as far as the operation says so: for a person who wants to see the difference.
//!
//! Nothing is read here. Of a file that holds secrets it is only said that there is one: what it holds now must not be
//! told to whoever asks for a difference.

use signoff_model::{FileAction, FileOperation, NewText, Rewrite};

use super::Reader;
use crate::place::{Extent, Place};

impl Reader<'_> {
    /// Notes what a file operation would make of the text of a file.
    pub(super) fn note_rewrite(&mut self, operation: &FileOperation) {
        let content = operation.content.as_ref();
        let text = match operation.action {
            FileAction::Create | FileAction::Write | FileAction::Edit | FileAction::Overwrite => {
                content.cloned().map(NewText::Whole)
            }
            FileAction::Append => content.cloned().map(NewText::Appended),
            FileAction::Truncate => Some(NewText::Whole(String::new())),
            FileAction::Read
            | FileAction::List
            | FileAction::Delete
            | FileAction::Move
            | FileAction::Copy
            | FileAction::Chmod
            | FileAction::Symlink => None,
        };
        if let Some(text) = text {
            self.rewrite(&operation.path, text);
        }
    }

    /// Notes what becomes of the text of the file at a path.
    pub(crate) fn rewrite(&mut self, path: &str, text: NewText) {
        if !self.facts.reads_files() || self.ground.is_disturbed() {
            return;
        }
        let Some(written) = self.grave_readings(path).into_iter().next() else { return };
        let place = self.place(&written);
        if place.extent != Extent::Exact || place.path.is_empty() || place.is_device() {
            return;
        }
        let secret = self.secret(path).is_some() || !place.may_be_shown();
        let text = if secret { NewText::Secret } else { text };
        self.findings.rewrite(Rewrite { path: place.path, text });
    }

    /// Notes that a file is replaced by another one.
    pub(super) fn note_copied(&mut self, from: &Place, to: &Place) {
        if !self.is_file(from) || !self.is_file(to) || from.is_device() || to.is_device() {
            return;
        }
        let shown = from.may_be_shown() && to.may_be_shown();
        let text = if shown { NewText::Copied(from.path.clone()) } else { NewText::Secret };
        self.findings.rewrite(Rewrite { path: to.path.clone(), text });
    }
}
