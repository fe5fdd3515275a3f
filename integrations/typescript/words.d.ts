/** What a model hears, in both languages. */
export declare const WORDS: {
    blocked: {
        en: string;
        zh: string;
    };
    denied: {
        en: string;
        zh: string;
    };
    denied_without_words: {
        en: string;
        zh: string;
    };
    open: {
        en: string;
        zh: string;
    };
    expired: {
        en: string;
        zh: string;
    };
    changed: {
        en: string;
        zh: string;
    };
    unapproved: {
        en: string;
        zh: string;
    };
    unjudged: {
        en: string;
        zh: string;
    };
    instead: {
        en: string;
        zh: string;
    };
    unreached: {
        en: string;
        zh: string;
    };
    late: {
        en: string;
        zh: string;
    };
    lost: {
        en: string;
        zh: string;
    };
    impostor: {
        en: string;
        zh: string;
    };
    withdrawn: {
        en: string;
        zh: string;
    };
    stale: {
        en: string;
        zh: string;
    };
    used: {
        en: string;
        zh: string;
    };
    another: {
        en: string;
        zh: string;
    };
    backup: {
        en: string;
        zh: string;
    };
    unknown: {
        en: string;
        zh: string;
    };
};
