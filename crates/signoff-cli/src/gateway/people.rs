//! `signoff people`: who may answer.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use signoff_card::{Language, visible};
use signoff_gate::Places;
use signoff_model::{Actor, Answerer, Assurance, ChannelId, PersonId};
use signoff_server::{Accounts, PASSWORD_AT_LEAST};

use super::{Calls, of_account, own_name, runtime, serve, somebody};
use crate::{
    failure::{Failure, in_language},
    gateway::arguments::{PeopleArguments, PeopleCommand},
    judge::language,
    output::Output,
    person::{Person, Reply},
};

/// How long somebody may think about a password.
const THINK_FOR: Duration = Duration::from_secs(300);

pub(crate) fn run(arguments: &PeopleArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let language = language(arguments.desk.lang);
    match &arguments.command {
        PeopleCommand::Invite { name, store } => invite(name, store.as_deref(), arguments, places, language, output),
        PeopleCommand::Join { invitation } => join(invitation, arguments, places, language, output),
    }
}

/// Invites somebody: through the gateway where one runs, as a person who is logged in; into the store itself where none does.
fn invite(
    name: &str,
    store: Option<&str>,
    arguments: &PeopleArguments,
    places: &Places,
    language: Language,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut person = somebody()?;
    let name = PersonId::new(name).map_err(|bad| Failure::usage(format!("`NAME`: {bad}"), format!("`NAME`：{bad}")))?;
    let invitation = if let (Ok(calls), None) = (Calls::on_port(places, arguments.desk.gateway), store) {
        let calls = logged_in(calls, arguments.desk.person.as_deref(), &mut person, language)?;
        let invited: Value = calls.post("/v1/invitations", &json!({"person": name.as_str()}))?;
        invited.get("invitation").and_then(Value::as_str).unwrap_or_default().to_owned()
    } else {
        let by = PersonId::new(own_name()).map_err(|bad| Failure::internal(bad.to_string(), bad.to_string()))?;
        let by = Actor::Person(Answerer { person: by, channel: ChannelId::inbox(), assurance: Assurance::Login });
        let runtime = runtime()?;
        runtime.block_on(async {
            let store = serve::store(store, places).await?;
            Accounts::new(&*store).invite(&name, by).await.map_err(|error| of_account(&error))
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

fn join(
    invitation: &str,
    arguments: &PeopleArguments,
    places: &Places,
    language: Language,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut person = somebody()?;
    let calls = Calls::on_port(places, arguments.desk.gateway)?;
    let question = match language {
        Language::English => format!("Choose a password of at least {PASSWORD_AT_LEAST} characters: "),
        Language::Chinese => format!("请设置密码（至少 {PASSWORD_AT_LEAST} 个字符）："),
    };
    let password = secret(&mut person, &question)?;
    let again = secret(&mut person, in_language(language, "The same again: ", "再次输入："))?;
    if password != again {
        return Err(Failure::usage("the two are not the same", "两次输入不一致")
            .hint("run the command again; the invitation is still good", "请重新运行；邀请仍然有效"));
    }
    let joined: Value = calls.post("/v1/people", &json!({"invitation": invitation, "password": password}))?;
    let name = visible(joined.get("person").and_then(Value::as_str).unwrap_or_default());
    output.text(&match language {
        Language::English => format!("Welcome, {name}. Open questions are in: signoff inbox\n"),
        Language::Chinese => format!("欢迎，{name}。查看待答问题：signoff inbox\n"),
    })
}

/// Logs somebody in with what they type.
pub(super) fn logged_in(
    calls: Calls,
    name: Option<&str>,
    person: &mut Person,
    language: Language,
) -> Result<Calls, Failure> {
    let name = name.map_or_else(own_name, str::to_owned);
    let question = match language {
        Language::English => format!("Password of {}: ", visible(&name)),
        Language::Chinese => format!("{} 的密码：", visible(&name)),
    };
    // Whether it is the gate that listens is proved before anybody types anything.
    let _: Value = calls.get("/v1/health")?;
    let password = secret(person, &question)?;
    calls.log_in(&name, &password)
}

fn secret(person: &mut Person, question: &str) -> Result<String, Failure> {
    let now = Instant::now();
    let until = now.checked_add(THINK_FOR).unwrap_or(now);
    match person.secret(question, until).map_err(|error| Failure::read(&error))? {
        Reply::Line(text) => Ok(text),
        Reply::Late | Reply::Ended | Reply::Elsewhere => Err(Failure::usage("nothing was typed", "没有输入任何内容")),
    }
}
