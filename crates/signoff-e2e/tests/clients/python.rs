//! The types and routes as Python has them. `NotRequired` is younger than the oldest Python that is wanted, so that what need not
//! be there stands in a class of its own.

use std::fmt::Write as _;

use super::{
    description::{Declared, Description, Field, Shape, Type},
    texts::Text,
};

const HEAD: &str = "# Made from the OpenAPI document: SIGNOFF_BLESS=1 cargo test -p signoff-e2e --test clients\n";

pub(crate) fn wire(description: &Description) -> String {
    let mut out = format!(
        "{HEAD}\"\"\"What goes over the wire between an agent and a gateway.\"\"\"\n\nfrom __future__ import annotations\n\n\
         from typing import Any, Literal, NamedTuple, TypedDict, Union\n\n\n\
         class Route(NamedTuple):\n    \"\"\"A route: what its query may say, and what a success holds, by its status.\"\"\"\n\n    \
         method: str\n    path: str\n    query: tuple[str, ...]\n    answers: dict[int, str]\n\n\n"
    );
    for route in &description.routes {
        let query: String = route.query.iter().map(|name| format!("\"{name}\",")).collect();
        let answers =
            route.answers.iter().map(|(status, name)| format!("{status}: \"{}\"", name.clone().unwrap_or_default()));
        let answers: Vec<String> = answers.collect();
        let (name, method, path) = (route.name.to_uppercase(), &route.method, &route.path);
        writeln!(out, "#: {}", route.about.trim()).unwrap();
        writeln!(out, "{name} = Route(\"{method}\", \"{path}\", ({query}), {{{}}})", answers.join(", ")).unwrap();
    }
    for declared in &description.declared {
        out.push_str(&declaration(declared));
    }
    out
}

fn declaration(Declared { name, shape, about }: &Declared) -> String {
    match shape {
        Shape::Object(fields) => object(name, about, fields, None),
        Shape::Names(names) => format!("\n\n#: {about}\n{name} = {}\n", literal(names)),
        Shape::Variants { tag, of } => {
            let mut out = String::new();
            let mut names = Vec::new();
            for variant in of {
                let class = format!("{name}{}", camel(&variant.value));
                out.push_str(&object(&class, &variant.about, &variant.fields, Some((tag, &variant.value))));
                names.push(class);
            }
            let values: Vec<&str> = of.iter().map(|variant| variant.value.as_str()).collect();
            write!(out, "\n\n#: {about}\n{name} = Union[{}]\n", names.join(", ")).unwrap();
            let constant = format!("{}_{}S", name.to_uppercase(), tag.to_uppercase());
            writeln!(out, "\n#: Every `{tag}` of it.\n{constant} = {values:?}").unwrap();
            out
        }
    }
}

fn object(name: &str, about: &str, fields: &[Field], tag: Option<(&str, &str)>) -> String {
    let (required, optional): (Vec<&Field>, Vec<&Field>) = fields.iter().partition(|field| field.required);
    let split = !optional.is_empty() && (!required.is_empty() || tag.is_some());
    let mut out = String::new();
    let mut class = |head: String, about: &str, tag: Option<(&str, &str)>, fields: &[&Field]| {
        write!(out, "\n\n{head}\n    \"\"\"{about}\"\"\"\n").unwrap();
        if tag.is_some() || !fields.is_empty() {
            out.push('\n');
        }
        if let Some((tag, value)) = tag {
            writeln!(out, "    {tag}: Literal[\"{value}\"]").unwrap();
        }
        for field in fields {
            writeln!(out, "    #: {}\n    {}: {}", field.about, field.name, typed(&field.holds)).unwrap();
        }
    };
    if split {
        class(format!("class _{name}(TypedDict):"), "What is always there.", tag, &required);
        class(format!("class {name}(_{name}, total=False):"), about, None, &optional);
    } else if optional.is_empty() {
        class(format!("class {name}(TypedDict):"), about, tag, &required);
    } else {
        class(format!("class {name}(TypedDict, total=False):"), about, tag, &optional);
    }
    out
}

fn typed(holds: &Type) -> String {
    match holds {
        Type::Text => "str".to_owned(),
        Type::Whole => "int".to_owned(),
        Type::Truth => "bool".to_owned(),
        Type::Nothing => "None".to_owned(),
        Type::Anything => "dict[str, Any]".to_owned(),
        Type::List(inner) => format!("list[{}]", typed(inner)),
        Type::Table(inner) => format!("dict[str, {}]", typed(inner)),
        Type::OneOf(names) => literal(names),
        Type::Named(name) => name.clone(),
        Type::Either(several) => several.iter().map(typed).collect::<Vec<_>>().join(" | "),
    }
}

fn literal(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    format!("Literal[{}]", names.join(", "))
}

pub(crate) fn camel(name: &str) -> String {
    let words = name.split(['_', '-']);
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

pub(crate) fn words(texts: &[Text]) -> String {
    let mut out =
        format!("{HEAD}\"\"\"What a model hears, in both languages.\"\"\"\n\nWORDS: dict[str, dict[str, str]] = {{\n");
    for Text { name, english, chinese } in texts {
        writeln!(out, "    \"{name}\": {{\n        \"en\": {english:?},\n        \"zh\": {chinese:?},\n    }},")
            .unwrap();
    }
    out + "}\n"
}
