//! What the OpenAPI document says about the routes for agents, in the few forms that it uses. Whatever has another form is not
//! understood, and the test fails there: a client that guesses is worse than none.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Text,
    Whole,
    Truth,
    Nothing,
    /// Any JSON object.
    Anything,
    List(Box<Type>),
    /// Texts by name.
    Table(Box<Type>),
    /// One of these texts.
    OneOf(Vec<String>),
    Named(String),
    Either(Vec<Type>),
}

/// A field of an object.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) holds: Type,
    pub(crate) required: bool,
    pub(crate) about: String,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Object(Vec<Field>),
    /// One of several objects, which a field tells apart.
    Variants {
        tag: String,
        of: Vec<Variant>,
    },
    Names(Vec<String>),
}

/// One of several objects.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) value: String,
    pub(crate) fields: Vec<Field>,
    pub(crate) about: String,
}

/// A name with what it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) about: String,
}

/// A route.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) name: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) about: String,
    pub(crate) query: Vec<String>,
    /// What a success holds, by its status; nothing where it has no body.
    pub(crate) answers: BTreeMap<String, Option<String>>,
}

/// All of it.
pub(crate) struct Description {
    pub(crate) routes: Vec<Route>,
    pub(crate) declared: Vec<Declared>,
}

/// Reads the document of the server.
pub(crate) fn of_agents() -> Description {
    let document = serde_json::to_value(signoff_server::openapi()).unwrap();
    let mut wanted = BTreeSet::new();
    let mut routes = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, route) in methods.as_object().unwrap() {
            if route["security"][0].get("agent").is_some() {
                routes.push(read_route(path, method, route, &mut wanted));
            }
        }
    }
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut declared = BTreeMap::new();
    while let Some(name) = wanted.pop_first() {
        if !declared.contains_key(&name) {
            let shape = Reading { place: name.clone(), wanted: &mut wanted }.shape(&schemas[&name]);
            let about = text(&schemas[&name], "description");
            declared.insert(name.clone(), Declared { name: plain(&name), shape, about });
        }
    }
    Description { routes, declared: in_order(declared.into_values().collect()) }
}

/// Without the prefix that tells the server's own types apart.
fn plain(name: &str) -> String {
    name.strip_prefix("Wire").unwrap_or(name).to_owned()
}

/// What is named comes before what names it, since Python reads from the top.
fn in_order(mut rest: Vec<Declared>) -> Vec<Declared> {
    let mut done: Vec<Declared> = Vec::new();
    while !rest.is_empty() {
        let (ready, later): (Vec<_>, Vec<_>) = rest
            .into_iter()
            .partition(|declared| names_in(&declared.shape).iter().all(|name| done.iter().any(|d| d.name == *name)));
        assert!(!ready.is_empty(), "these name each other: {later:?}");
        done.extend(ready);
        rest = later;
    }
    done
}

fn names_in(shape: &Shape) -> Vec<String> {
    fn of(holds: &Type) -> Vec<String> {
        match holds {
            Type::Named(name) => vec![name.clone()],
            Type::List(inner) | Type::Table(inner) => of(inner),
            Type::Either(several) => several.iter().flat_map(of).collect(),
            _ => Vec::new(),
        }
    }
    match shape {
        Shape::Object(fields) => fields.iter().flat_map(|field| of(&field.holds)).collect(),
        Shape::Variants { of: variants, .. } => {
            variants.iter().flat_map(|variant| &variant.fields).flat_map(|field| of(&field.holds)).collect()
        }
        Shape::Names(_) => Vec::new(),
    }
}

fn read_route(path: &str, method: &str, route: &Value, wanted: &mut BTreeSet<String>) -> Route {
    let mut name_of = |body: &Value| {
        let schema = &body["content"].as_object()?.values().next()?["schema"];
        // What is no JSON of ours, as under `/mcp`, has no name.
        let name = schema["$ref"].as_str()?.rsplit('/').next().unwrap().to_owned();
        wanted.insert(name.clone());
        Some(plain(&name))
    };
    name_of(&route["requestBody"]);
    let mut answers = BTreeMap::new();
    for (status, answer) in route["responses"].as_object().unwrap() {
        let name = name_of(answer);
        if status != "default" {
            assert!(status.starts_with('2'), "{path}: {status}");
            answers.insert(status.clone(), name);
        }
    }
    let parameters = route["parameters"].as_array().cloned().unwrap_or_default();
    let query = parameters.iter().filter(|parameter| parameter["in"] == "query");
    Route {
        name: text(route, "operationId"),
        method: method.to_uppercase(),
        path: path.to_owned(),
        about: text(route, "summary"),
        query: query.map(|parameter| text(parameter, "name")).collect(),
        answers,
    }
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

/// Reads schemas, and remembers the names that are met.
struct Reading<'w> {
    place: String,
    wanted: &'w mut BTreeSet<String>,
}

impl Reading<'_> {
    fn shape(&mut self, schema: &Value) -> Shape {
        if let Some(variants) = schema["oneOf"].as_array() {
            return self.variants(variants);
        }
        if schema["enum"].is_array() {
            return Shape::Names(names(schema));
        }
        assert_eq!(schema["type"], "object", "{}: {schema}", self.place);
        Shape::Object(self.fields(schema, ""))
    }

    fn variants(&mut self, variants: &[Value]) -> Shape {
        // The field that tells them apart is the one that all of them have with one value each.
        let tag_of = |variant: &Value| {
            let fields = variant["properties"].as_object().unwrap();
            let tag = fields.iter().find(|(_, field)| field["enum"].as_array().is_some_and(|names| names.len() == 1));
            tag.map(|(name, _)| name.clone()).unwrap()
        };
        let tag = tag_of(&variants[0]);
        let of = variants.iter().map(|variant| {
            assert_eq!(tag_of(variant), tag, "{}", self.place);
            Variant {
                value: names(&variant["properties"][&tag]).remove(0),
                fields: self.fields(variant, &tag),
                about: text(variant, "description"),
            }
        });
        Shape::Variants { of: of.collect(), tag }
    }

    fn fields(&mut self, schema: &Value, tag: &str) -> Vec<Field> {
        let none = Map::new();
        let fields = schema["properties"].as_object().unwrap_or(&none);
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let rest = fields.iter().filter(|(name, _)| *name != tag);
        rest.map(|(name, field)| Field {
            name: name.clone(),
            holds: self.holds(field),
            required: required.contains(&name.as_str()),
            about: about(field),
        })
        .collect()
    }

    fn holds(&mut self, schema: &Value) -> Type {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.rsplit('/').next().unwrap();
            self.wanted.insert(name.to_owned());
            return Type::Named(plain(name));
        }
        if let Some(several) = schema["oneOf"].as_array() {
            return Type::Either(several.iter().map(|one| self.holds(one)).collect());
        }
        if schema["enum"].is_array() {
            return Type::OneOf(names(schema));
        }
        match &schema["type"] {
            Value::Array(several) => {
                let one = |name: &Value| {
                    let mut schema = schema.clone();
                    schema["type"] = name.clone();
                    schema
                };
                Type::Either(several.iter().map(|name| self.holds(&one(name))).collect())
            }
            Value::String(name) => match name.as_str() {
                "string" => Type::Text,
                "integer" => Type::Whole,
                "boolean" => Type::Truth,
                "null" => Type::Nothing,
                "array" => Type::List(Box::new(self.holds(&schema["items"]))),
                "object" if schema["additionalProperties"].is_object() => {
                    Type::Table(Box::new(self.holds(&schema["additionalProperties"])))
                }
                "object" if schema["properties"].is_null() => Type::Anything,
                _ => panic!("{}: nobody knows what this is: {schema}", self.place),
            },
            _ => panic!("{}: nobody knows what this is: {schema}", self.place),
        }
    }
}

/// What is said of a field. Where it may be nothing, that is said of what it is otherwise.
fn about(field: &Value) -> String {
    let of = |schema: &Value| Some(text(schema, "description")).filter(|text| !text.is_empty());
    of(field).or_else(|| field["oneOf"].as_array()?.iter().find_map(of)).unwrap_or_default()
}

fn names(schema: &Value) -> Vec<String> {
    schema["enum"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}
