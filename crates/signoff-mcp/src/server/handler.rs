//! Who answers the protocol: it lists the tools, hands each call to what serves it, and makes a result of what comes back.

use std::{borrow::Cow, collections::BTreeMap, ffi::OsString, sync::Arc};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod, CompleteRequestParams,
        CompleteResult, ContentBlock, Implementation, ListPromptsRequestMethod, ListPromptsResult,
        ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities,
        ServerConfig,
    },
    service::RequestContext,
};
use serde_json::Value;
use signoff_agents::door::Door;
use signoff_card::{Language, visible};
use signoff_server::client::CallError;

use super::{
    Hands, House, asking,
    given::{Given, Misfit},
    judging, network,
    program::Said,
    progress::Cancelled,
    prompting, questions, running,
    tools::{self, Name, Reach},
    words::Words,
};

const INSTRUCTIONS: &str = "Signoff reads what an operation would really do, lets the harmless through, and asks a person about the rest. \
Run commands with `safe_exec`: the call waits while a person decides. Nothing here approves anything; a refusal is final, so do not look for \
another way to do the same.";

const INSTRUCTIONS_ELSEWHERE: &str = "Signoff reads what an operation would really do, and asks a person about whatever is not harmless. Before \
you run a command, change a file or call a tool that could break something, ask with `request_approval`: the call waits while a person decides. \
Nothing here runs or approves anything; a refusal is final, so do not look for another way to do the same.";

/// Answers one client.
#[derive(Clone)]
pub(super) struct Server(pub(super) Standing);

/// Where a server stands.
#[derive(Clone)]
pub(super) enum Standing {
    /// Beside its client.
    With(Arc<House>),
    /// At the gateway: each call says for whom it is.
    AtTheGateway,
}

impl Server {
    fn reach(&self) -> Reach {
        match self.0 {
            Standing::With(_) => Reach::Machine,
            Standing::AtTheGateway => Reach::People,
        }
    }

    /// The house that a call is answered in.
    fn house(&self, context: &RequestContext<RoleServer>) -> Result<Arc<House>, ErrorData> {
        match &self.0 {
            Standing::With(house) => Ok(Arc::clone(house)),
            // Nobody gets here who has not shown a key.
            Standing::AtTheGateway => network::house(&context.extensions)
                .map(Arc::new)
                .ok_or_else(|| ErrorData::invalid_request("it is not known who calls", None)),
        }
    }
}

/// Why a call came to nothing, in words for whoever made it. Nothing was run, or nothing is known of it.
#[derive(Debug)]
pub(super) struct Failed(pub(super) String);

impl From<Misfit> for Failed {
    fn from(Misfit(why): Misfit) -> Self {
        Self(why)
    }
}

impl From<Cancelled> for Failed {
    fn from(_: Cancelled) -> Self {
        Self("the call was taken back".to_owned())
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let itself = Implementation::new("signoff", env!("CARGO_PKG_VERSION")).with_title("Signoff");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(itself)
            .with_instructions(match self.reach() {
                Reach::Machine => INSTRUCTIONS,
                Reach::People => INSTRUCTIONS_ELSEWHERE,
            })
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::known_up_to(&ProtocolVersion::V_2026_07_28))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all(self.reach())))
    }

    // What is not declared is not there, rather than empty.
    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourcesRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourceTemplatesRequestMethod>())
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let house = self.house(&context)?;
        let Some(name) = Name::from_name(&request.name, self.reach()) else {
            let words = format!("there is no tool `{}`", visible(&request.name));
            return Err(ErrorData::invalid_params(words, None));
        };
        let (house, given) = (&*house, Given::new(request.arguments));
        let answers = request.input_responses;
        let answered = match name {
            Name::AskUser => return questions::ask_user(house, &context, given, answers).await.or_else(told),
            Name::PlanReview => return questions::plan_review(house, &context, given, answers).await.or_else(told),
            Name::Check => judging::check(house, given).await.map(CallToolResult::structured),
            Name::SafeExec => match house.hands() {
                Ok(hands) => running::safe_exec((house, hands), &context, given).await.map(ran),
                Err(none) => Err(none),
            },
            Name::File(tool) => match house.hands() {
                Ok(hands) => running::file((house, hands), &context, given, (&request.name, tool)).await.map(ran),
                Err(none) => Err(none),
            },
            Name::RequestApproval => {
                asking::request_approval(house, &context, given).await.map(CallToolResult::structured)
            }
            Name::ApprovalStatus => asking::approval_status(house, given).await.map(CallToolResult::structured),
            Name::ApprovalPrompt => {
                let text = match house.hands() {
                    Ok(hands) => prompting::approval_prompt((house, hands), &context, given).await,
                    Err(Failed(none)) => prompting::denied(&none),
                };
                Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
            }
        };
        answered.map(Into::into).or_else(told)
    }
}

/// What came to nothing is told to whoever called.
fn told(Failed(why): Failed) -> Result<CallToolResponse, ErrorData> {
    Ok(CallToolResult::error(vec![ContentBlock::text(why)]).into())
}

/// The result of a command. One that was not run is an error of the call; one that was has an exit code.
fn ran(result: Value) -> CallToolResult {
    match result.get("precondition_passed").and_then(Value::as_bool) {
        Some(true) => CallToolResult::structured(result),
        _ => CallToolResult::structured_error(result),
    }
}

impl House {
    pub(super) const fn words(&self) -> Words {
        Words(self.language)
    }

    /// What runs something here, where anything does.
    pub(super) fn hands(&self) -> Result<&Hands, Failed> {
        self.hands.as_ref().ok_or_else(|| Failed(self.words().nothing_runs().to_owned()))
    }

    /// The arguments of this program, in the language of the house.
    pub(super) fn arguments(&self, arguments: &[&str]) -> Vec<OsString> {
        let language = match self.language {
            Language::English => "en",
            Language::Chinese => "zh",
        };
        arguments.iter().copied().chain(["--lang", language]).map(Into::into).collect()
    }

    /// The JSON object that this program has said.
    pub(super) fn object(&self, said: Said) -> Result<Value, Failed> {
        match serde_json::from_str(&said.stdout) {
            Ok(value @ Value::Object(_)) => Ok(value),
            _ => Err(Failed(visible(said.stderr.trim()))),
        }
    }

    /// The variables that turn something elsewhere, as far as they are known here.
    pub(super) fn environment(&self) -> BTreeMap<String, String> {
        self.hands.as_ref().map(|hands| hands.environment.clone()).unwrap_or_default()
    }

    /// The door to the gateway.
    pub(super) async fn door(&self) -> Result<Door, Failed> {
        let open = Arc::clone(&self.door);
        // A gateway that has to be started takes its time, and other calls go on meanwhile.
        let opened = tokio::task::spawn_blocking(move || open()).await;
        opened.unwrap_or_else(|error| Err(error.to_string())).map_err(Failed)
    }

    /// What is said where the gateway says nothing that counts.
    pub(super) fn away(&self, error: &CallError) -> Failed {
        let told = visible(&error.to_string());
        Failed(match error {
            CallError::NoGateway(_) => format!("{told}; {}", self.words().start_a_gateway()),
            CallError::NoAnswer(_) | CallError::Impostor(_) | CallError::Problem { .. } => told,
        })
    }
}
