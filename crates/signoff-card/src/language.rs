/// A language that cards are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// The stable name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
        }
    }

    /// The language of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.name() == name)
    }

    /// The language that the name of a locale asks for, such as `zh_CN.UTF-8`; English where there is no other.
    pub fn from_locale(locale: &str) -> Self {
        let language = locale.split(['_', '.', '@', '-']).next().unwrap_or_default();
        Self::from_name(language).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn locales_name_languages() {
        for (locale, expected) in [
            ("zh_CN.UTF-8", Language::Chinese),
            ("zh", Language::Chinese),
            ("zh-Hans", Language::Chinese),
            ("en_GB.UTF-8", Language::English),
            ("C.UTF-8", Language::English),
            ("", Language::English),
            ("zhx", Language::English),
        ] {
            assert_eq!(Language::from_locale(locale), expected, "{locale}");
        }
    }
}
