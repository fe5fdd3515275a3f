//! What files of settings say wrong, as the command line tells it.

use signoff_card::{Language, visible};
use signoff_config::{Fault, Notice};

use crate::{
    failure::{Failure, in_language},
    output,
};

/// Tells what does not count in the files that were read.
pub(crate) fn tell(notices: &[Notice], language: Language) {
    for notice in notices {
        output::note(&told(notice, language));
    }
}

/// A fault in a file, as the command line tells it.
pub(crate) fn failure(fault: &Fault) -> Failure {
    let (told, hint) = (fault.told(), fault.hint());
    Failure::usage(visible(&told.english), visible(&told.chinese)).hint(visible(&hint.english), visible(&hint.chinese))
}

/// Something that does not count, with the line that it stands in.
pub(crate) fn told(notice: &Notice, language: Language) -> String {
    let message = in_language(language, &notice.message.english, &notice.message.chinese);
    let hint = in_language(language, &notice.hint.english, &notice.hint.chinese);
    let text = match &notice.origin.place {
        Some((file, line)) => format!("{}:{line}: {message}", file.display()),
        None => message.to_owned(),
    };
    match language {
        Language::English => format!("note: {}\n hint: {}\n", visible(&text), visible(hint)),
        Language::Chinese => format!("注意：{}\n提示：{}\n", visible(&text), visible(hint)),
    }
}
