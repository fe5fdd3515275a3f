//! `signoff people`: who may answer, and which agents work for them.

mod roster;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use signoff_card::{Language, visible};
use signoff_gate::Places;
use signoff_model::{Actor, Answerer, Assurance, ChannelId, PersonId};
use signoff_server::{Accounts, PASSWORD_AT_LEAST, Role, can_be_password};

use super::{
    Calls, field, of_account, own_name, runtime,
    separate::{as_the_gate, is_administrator_of_separated},
    serve, somebody,
};
use crate::{
    failure::{Failure, in_language},
    gateway::arguments::{Desk, PeopleArguments, PeopleCommand},
    judge::language,
    output::Output,
    person::{Person, Reply},
};

/// How long somebody may think about what they type.
const THINK_FOR: Duration = Duration::from_secs(300);

pub(crate) fn run(arguments: &PeopleArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let language = language(arguments.desk.lang);
    match &arguments.command {
        PeopleCommand::Invite { name, administrator, store } => {
            let role = if *administrator { Role::Administrator } else { Role::Member };
            invite((name, role), store.as_deref(), arguments, places, language, output)
        }
        PeopleCommand::List { json } => {
            roster::people(&at_desk(places, &arguments.desk, language)?.1, *json, output, language)
        }
        PeopleCommand::Agents { json } => {
            roster::agents(&at_desk(places, &arguments.desk, language)?.1, *json, output, language)
        }
        PeopleCommand::Remove { name } => {
            let (_, calls) = at_desk(places, &arguments.desk, language)?;
            calls.delete(&format!("/v1/people/{}", segment(name)))?;
            let name = visible(name);
            output.text(&match language {
                Language::English => format!("{name} is removed, with everything that was theirs.\n"),
                Language::Chinese => format!("已移除 {name} 及其所有登录、授权和智能体。\n"),
            })
        }
        PeopleCommand::Password => change_password(arguments, places, language, output),
        PeopleCommand::AddAgent { name } => {
            let (_, calls) = at_desk(places, &arguments.desk, language)?;
            let made: Value = calls.post("/v1/agents", &json!({"agent": name}))?;
            let (name, key) = (visible(name), visible(field(&made, "key")));
            output.text(&match language {
                Language::English => format!(
                    "{name} works for you from now on. Its key is shown this once; whoever has it asks in your name:\n\n  {key}\n"
                ),
                Language::Chinese => {
                    format!("{name} 从现在起为您工作。密钥仅显示这一次；持有者可以您的名义提问：\n\n  {key}\n")
                }
            })
        }
        PeopleCommand::RemoveAgent { name } => {
            let (_, calls) = at_desk(places, &arguments.desk, language)?;
            calls.delete(&format!("/v1/agents/{}", segment(name)))?;
            let name = visible(name);
            output.text(&match language {
                Language::English => format!("The key of {name} is good for nothing any more.\n"),
                Language::Chinese => format!("{name} 的密钥已失效。\n"),
            })
        }
        PeopleCommand::HandOver { name, lasts } => hand_over(name, *lasts, arguments, places, language, output),
        PeopleCommand::TakeBack => {
            let (_, calls) = at_desk(places, &arguments.desk, language)?;
            calls.delete("/v1/delegations")?;
            output.text(in_language(language, "Nobody answers in your stead any more.\n", "不再有人代您回答。\n"))
        }
        PeopleCommand::Join { invitation } => join(invitation, arguments, places, language, output),
    }
}

/// Invites somebody: through the gateway where one runs, as a person who is logged in; into the store itself where none does.
fn invite(
    (name, role): (&str, Role),
    store: Option<&str>,
    arguments: &PeopleArguments,
    places: &Places,
    language: Language,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut person = somebody()?;
    let name = PersonId::new(name).map_err(|bad| Failure::usage(format!("`NAME`: {bad}"), format!("`NAME`：{bad}")))?;
    let running =
        Calls::on_port(places, arguments.desk.gateway).ok().filter(|calls| store.is_none() && calls.answers());
    if running.is_none() && is_administrator_of_separated(places) {
        // The store is the gate's alone.
        let mut words = vec!["people", "invite", name.as_str(), "--lang", language.name()];
        words.extend(store.into_iter().flat_map(|store| ["--store", store]));
        words.extend((role == Role::Administrator).then_some("--administrator"));
        let went_well = as_the_gate(places, &words)?;
        return if went_well { Ok(()) } else { Err(Failure::internal("nobody was invited", "没有邀请任何人")) };
    }
    let invitation = if let Some(calls) = running {
        let calls = logged_in(calls, arguments.desk.person.as_deref(), &mut person, language)?;
        let invited: Value = calls.post("/v1/invitations", &json!({"person": name.as_str(), "role": role.name()}))?;
        field(&invited, "invitation").to_owned()
    } else {
        let by = PersonId::new(own_name()).map_err(|bad| Failure::internal(bad.to_string(), bad.to_string()))?;
        let by = Actor::Person(Answerer { person: by, channel: ChannelId::inbox(), assurance: Assurance::Login });
        let runtime = runtime()?;
        runtime.block_on(async {
            let store = serve::store(store, places).await?;
            Accounts::new(&*store).invite_as(&name, role, by).await.map_err(|error| of_account(&error))
        })?
    };
    let name = visible(name.as_str());
    output.text(&match language {
        Language::English => format!(
            "{name} is invited for a day. Whoever runs this while the gateway is up chooses the password:\n\n  signoff people join {invitation}\n"
        ),
        Language::Chinese => {
            format!("已邀请 {name}，一天内有效。在网关运行时执行以下命令者将设置密码：\n\n  signoff people join {invitation}\n")
        }
    })
}

/// Hands the answering of whoever is logged in over to somebody else.
fn hand_over(
    name: &str,
    lasts: Duration,
    arguments: &PeopleArguments,
    places: &Places,
    language: Language,
    output: &mut Output,
) -> Result<(), Failure> {
    let (_, calls) = at_desk(places, &arguments.desk, language)?;
    let _: Value = calls.post("/v1/delegations", &json!({"to": name, "for_seconds": lasts.as_secs()}))?;
    let (name, lasts) = (visible(name), humantime::format_duration(Duration::from_secs(lasts.as_secs())));
    output.text(&match language {
        Language::English => format!("{name} answers in your stead for {lasts}; signoff people take-back ends it.\n"),
        Language::Chinese => format!("{name} 将在 {lasts} 内代您回答；signoff people take-back 可收回。\n"),
    })
}

fn join(
    invitation: &str,
    arguments: &PeopleArguments,
    places: &Places,
    language: Language,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut person = somebody()?;
    let calls = Calls::on_port(places, arguments.desk.gateway)?;
    let password = new_password(&mut person, language)?;
    let joined: Value = calls.post("/v1/people", &json!({"invitation": invitation, "password": password}))?;
    let name = visible(joined.get("person").and_then(Value::as_str).unwrap_or_default());
    output.text(&match language {
        Language::English => format!("Welcome, {name}. Open questions are in: signoff inbox\n"),
        Language::Chinese => format!("欢迎，{name}。查看待答问题：signoff inbox\n"),
    })
}

/// Asks twice for a password that can be one, and says at once where it cannot.
fn new_password(person: &mut Person, language: Language) -> Result<String, Failure> {
    let question = match language {
        Language::English => format!("Choose a password of at least {PASSWORD_AT_LEAST} characters: "),
        Language::Chinese => format!("请设置密码（至少 {PASSWORD_AT_LEAST} 个字符）："),
    };
    let password = secret(person, &question)?;
    let hint = ("run the command again: nothing was changed", "请重新运行：没有任何改动");
    if !can_be_password(&password) {
        return Err(Failure::usage(
            format!("that is no password: it has at least {PASSWORD_AT_LEAST} characters, and not too many"),
            format!("密码不符合要求：至少 {PASSWORD_AT_LEAST} 个字符，且不能过长"),
        )
        .hint(hint.0, hint.1));
    }
    let again = secret(person, in_language(language, "The same again: ", "再次输入："))?;
    if password == again {
        Ok(password)
    } else {
        Err(Failure::usage("the two are not the same", "两次输入不一致").hint(hint.0, hint.1))
    }
}

/// Changes the password of whoever types the one that was good until now.
fn change_password(
    arguments: &PeopleArguments,
    places: &Places,
    language: Language,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut person = somebody()?;
    let calls = Calls::on_port(places, arguments.desk.gateway)?;
    let (calls, password) = logged_in_with(calls, arguments.desk.person.as_deref(), &mut person, language)?;
    let new = new_password(&mut person, language)?;
    let _: Value = calls.post("/v1/password", &json!({"password": password, "new": new}))?;
    output.text(in_language(language, "The new password counts from now on.\n", "新密码已生效。\n"))
}

/// A name as a part of a path.
fn segment(name: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    let written = |byte: u8| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    name.bytes().map(written).collect()
}

/// The person at this terminal, logged in at the gateway of their desk.
pub(super) fn at_desk(places: &Places, desk: &Desk, language: Language) -> Result<(Person, Calls), Failure> {
    let mut person = somebody()?;
    let calls = Calls::on_port(places, desk.gateway)?;
    let calls = logged_in(calls, desk.person.as_deref(), &mut person, language)?;
    Ok((person, calls))
}

/// Logs somebody in with what they type.
pub(super) fn logged_in(
    calls: Calls,
    name: Option<&str>,
    person: &mut Person,
    language: Language,
) -> Result<Calls, Failure> {
    Ok(logged_in_with(calls, name, person, language)?.0)
}

/// The same, with what they have typed.
fn logged_in_with(
    calls: Calls,
    name: Option<&str>,
    person: &mut Person,
    language: Language,
) -> Result<(Calls, String), Failure> {
    let name = name.map_or_else(own_name, str::to_owned);
    let question = match language {
        Language::English => format!("Password of {}: ", visible(&name)),
        Language::Chinese => format!("{} 的密码：", visible(&name)),
    };
    // Whether it is the gate that listens is proved before anybody types anything.
    let _: Value = calls.get("/v1/health")?;
    let password = secret(person, &question)?;
    Ok((calls.log_in(&name, &password)?, password))
}

/// Until when somebody may think about what they are asked now.
pub(super) fn think_until() -> Instant {
    let now = Instant::now();
    now.checked_add(THINK_FOR).unwrap_or(now)
}

fn secret(person: &mut Person, question: &str) -> Result<String, Failure> {
    match person.secret(question, think_until()).map_err(|error| Failure::read(&error))? {
        Reply::Line(text) => Ok(text),
        Reply::Late | Reply::Ended | Reply::Elsewhere => Err(Failure::usage("nothing was typed", "没有输入任何内容")),
    }
}

#[cfg(test)]
mod tests {
    use super::segment;

    #[test]
    fn a_name_is_one_part_of_a_path() {
        for (name, path) in [("ann", "ann"), ("a/b", "a%2Fb"), ("..", ".."), ("李 ?x", "%E6%9D%8E%20%3Fx")] {
            assert_eq!(segment(name), path);
        }
    }
}
