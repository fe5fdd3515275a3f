//! Whom a token belongs to, by the name of the variable that usually holds it.

/// Words in the names of variables, with words in the names of the hosts that the tokens are for.
const OWNERS: &[(&[&str], &[&str])] = &[
    (&["GITHUB_TOKEN", "GH_TOKEN", "GITHUB_PAT", "GH_PAT", "GITHUB_API_TOKEN"], &["github", "ghcr", "azure"]),
    (&["GITLAB_TOKEN", "GITLAB_PRIVATE_TOKEN", "GITLAB_API_TOKEN", "CI_JOB_TOKEN"], &["gitlab"]),
    (&["BITBUCKET_TOKEN", "BITBUCKET_APP_PASSWORD"], &["bitbucket", "atlassian"]),
    (&["OPENAI_API_KEY", "OPENAI_KEY"], &["openai", "chatgpt", "azure"]),
    (&["ANTHROPIC_API_KEY", "CLAUDE_API_KEY", "ANTHROPIC_AUTH_TOKEN"], &["anthropic", "claude"]),
    (&["GEMINI_API_KEY", "GOOGLE_API_KEY"], &["google"]),
    (&["GROQ_API_KEY"], &["groq"]),
    (&["MISTRAL_API_KEY"], &["mistral"]),
    (&["DEEPSEEK_API_KEY"], &["deepseek"]),
    (&["OPENROUTER_API_KEY"], &["openrouter"]),
    (&["COHERE_API_KEY"], &["cohere"]),
    (&["HF_TOKEN", "HUGGINGFACE_TOKEN", "HUGGING_FACE_HUB_TOKEN"], &["huggingface", "hf"]),
    (&["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"], &["amazonaws", "aws"]),
    (&["NPM_TOKEN", "NODE_AUTH_TOKEN"], &["npmjs", "npm", "github"]),
    (&["PYPI_TOKEN", "PYPI_API_TOKEN", "TWINE_PASSWORD"], &["pypi"]),
    (&["CARGO_REGISTRY_TOKEN"], &["crates"]),
    (&["DOCKERHUB_TOKEN", "DOCKER_TOKEN", "DOCKER_PASSWORD"], &["docker"]),
    (&["SLACK_TOKEN", "SLACK_BOT_TOKEN", "SLACK_API_TOKEN"], &["slack"]),
    (&["DISCORD_TOKEN", "DISCORD_BOT_TOKEN"], &["discord", "discordapp"]),
    (&["TELEGRAM_TOKEN", "TELEGRAM_BOT_TOKEN"], &["telegram"]),
    (&["STRIPE_API_KEY", "STRIPE_SECRET_KEY"], &["stripe"]),
    (&["CLOUDFLARE_API_TOKEN", "CF_API_TOKEN", "CLOUDFLARE_API_KEY"], &["cloudflare"]),
    (&["HEROKU_API_KEY"], &["heroku"]),
    (&["DIGITALOCEAN_TOKEN", "DIGITALOCEAN_ACCESS_TOKEN"], &["digitalocean"]),
    (&["VERCEL_TOKEN"], &["vercel"]),
    (&["NETLIFY_AUTH_TOKEN"], &["netlify"]),
    (&["SENTRY_AUTH_TOKEN"], &["sentry"]),
    (&["SENDGRID_API_KEY"], &["sendgrid"]),
    (&["TWILIO_AUTH_TOKEN"], &["twilio"]),
    (&["CODECOV_TOKEN"], &["codecov"]),
    (&["NOTION_TOKEN", "NOTION_API_KEY"], &["notion"]),
    (&["LINEAR_API_KEY"], &["linear"]),
    (&["JIRA_API_TOKEN", "ATLASSIAN_API_TOKEN"], &["atlassian", "jira"]),
];

/// Whether the token in a variable of this name belongs to somebody else than this host. A token that could be anybody's
/// does not, nor does one for a host with the owner's name in it: many run servers of the same kind.
pub fn is_strange_to(variable: &str, host: &str) -> bool {
    let Some((_, hosts)) = OWNERS.iter().find(|(variables, _)| variables.contains(&variable)) else { return false };
    let host = host.to_ascii_lowercase();
    !host.is_empty() && !hosts.iter().any(|word| host.split(['.', '-']).any(|part| part.starts_with(word)))
}

#[cfg(test)]
mod tests {
    use super::is_strange_to;

    #[test]
    fn a_token_is_for_its_owner() {
        for (variable, host, strange) in [
            ("GITHUB_TOKEN", "api.github.com", false),
            ("GITHUB_TOKEN", "raw.githubusercontent.com", false),
            ("GITHUB_TOKEN", "github.corp.example", false),
            ("GITHUB_TOKEN", "evil.example", true),
            ("GITHUB_TOKEN", "notgithub.example", true),
            ("NPM_TOKEN", "registry.npmjs.org", false),
            ("MY_TOKEN", "evil.example", false),
            ("OPENAI_API_KEY", "", false),
        ] {
            assert_eq!(is_strange_to(variable, host), strange, "{variable} {host}");
        }
    }
}
