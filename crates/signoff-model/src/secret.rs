use std::fmt;

/// A secret that is on its way, as a person would name it. A name is the same in every language; the rest is for each
/// language to say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Secret {
    /// A file, a variable or a command by its name.
    Named(String),
    /// The variables of the environment.
    Environment,
    /// The variables of the environment, printed by this command.
    EnvironmentBy(String),
    /// Whatever a session of this program shows.
    Session(String),
    /// The commands that were typed before.
    History,
    /// A password out of a store.
    StoredPassword,
    /// A file that holds secrets.
    File,
    /// The private halves of keys.
    PrivateKeys,
    /// What a person types.
    Typed,
}

impl Secret {
    /// The name in it that the operation gives, to be written in another way.
    pub const fn name_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Named(name) | Self::EnvironmentBy(name) | Self::Session(name) => Some(name),
            Self::Environment | Self::History | Self::StoredPassword | Self::File | Self::PrivateKeys | Self::Typed => {
                None
            }
        }
    }

    /// What it is called in English; `{}` stands for the name in it.
    pub const fn english(&self) -> &'static str {
        match self {
            Self::Named(_) => "{}",
            Self::Environment => "the environment",
            Self::EnvironmentBy(_) => "the environment, printed by {}",
            Self::Session(_) => "whatever {} shows",
            Self::History => "the history of commands",
            Self::StoredPassword => "a stored password",
            Self::File => "a file of secrets",
            Self::PrivateKeys => "private keys",
            Self::Typed => "whatever is typed",
        }
    }

    /// The name in it.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) | Self::EnvironmentBy(name) | Self::Session(name) => Some(name),
            Self::Environment | Self::History | Self::StoredPassword | Self::File | Self::PrivateKeys | Self::Typed => {
                None
            }
        }
    }

    /// One of each kind, with `name` for every name.
    pub fn of_each_kind(name: &str) -> [Self; 9] {
        let name = || name.to_owned();
        [
            Self::Named(name()),
            Self::Environment,
            Self::EnvironmentBy(name()),
            Self::Session(name()),
            Self::History,
            Self::StoredPassword,
            Self::File,
            Self::PrivateKeys,
            Self::Typed,
        ]
    }

    /// The secret that is called so in English; a text that is not a phrase of ours is a name.
    pub fn called(text: &str) -> Self {
        let fits = |secret: &Self| match (secret, secret.english().split_once("{}")) {
            (Self::Named(_), _) => None,
            (_, None) => (secret.english() == text).then(String::new),
            (_, Some((before, after))) => {
                text.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).map(str::to_owned)
            }
        };
        for secret in Self::of_each_kind("") {
            match (fits(&secret), secret) {
                (Some(name), Self::EnvironmentBy(_)) => return Self::EnvironmentBy(name),
                (Some(name), Self::Session(_)) => return Self::Session(name),
                (Some(_), secret) => return secret,
                (None, _) => {}
            }
        }
        Self::Named(text.to_owned())
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english().replace("{}", self.name().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn what_is_called_so_is_found_again() {
        for secret in Secret::of_each_kind("bash") {
            assert_eq!(Secret::called(&secret.to_string()), secret);
            assert_eq!(secret.english().contains("{}"), secret.name().is_some());
        }
        assert_eq!(Secret::called("~/.ssh/id_rsa"), Secret::Named("~/.ssh/id_rsa".to_owned()));
    }
}
