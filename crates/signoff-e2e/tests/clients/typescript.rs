//! The types and routes as TypeScript has them: the types in a file of declarations, the routes in one that runs.

use std::fmt::Write as _;

use super::{
    description::{Declared, Description, Field, Shape, Type},
    python::camel,
    texts::Text,
};

const HEAD: &str = "// Made from the OpenAPI document: SIGNOFF_BLESS=1 cargo test -p signoff-e2e --test clients\n";

pub(crate) fn types(description: &Description) -> String {
    let mut out = format!(
        "{HEAD}\n/** A route: what its query may say, and what a success holds, by its status. */\nexport interface Route {{\n  \
         readonly method: string;\n  readonly path: string;\n  readonly query: readonly string[];\n  \
         readonly answers: Readonly<Record<number, string>>;\n}}\n"
    );
    for route in &description.routes {
        write!(out, "\n/** {} */\nexport declare const {}: Route;\n", route.about.trim(), route.name.to_uppercase())
            .unwrap();
    }
    for declared in &description.declared {
        out.push_str(&declaration(declared));
    }
    out
}

pub(crate) fn routes(description: &Description) -> String {
    let mut out = HEAD.to_owned();
    for route in &description.routes {
        let answers =
            route.answers.iter().map(|(status, name)| format!("{status}: \"{}\"", name.clone().unwrap_or_default()));
        let answers: Vec<String> = answers.collect();
        writeln!(
            out,
            "export const {} = {{ method: \"{}\", path: \"{}\", query: {:?}, answers: {{ {} }} }};",
            route.name.to_uppercase(),
            route.method,
            route.path,
            route.query,
            answers.join(", ")
        )
        .unwrap();
    }
    for Declared { name, shape, .. } in &description.declared {
        if let Shape::Variants { tag, of } = shape {
            let values: Vec<&str> = of.iter().map(|variant| variant.value.as_str()).collect();
            writeln!(out, "export const {} = {values:?};", constant(name, tag)).unwrap();
        }
    }
    out
}

fn constant(name: &str, tag: &str) -> String {
    format!("{}_{}S", name.to_uppercase(), tag.to_uppercase())
}

fn declaration(Declared { name, shape, about }: &Declared) -> String {
    match shape {
        Shape::Object(fields) => object(name, about, fields, None),
        Shape::Names(names) => format!("\n/** {about} */\nexport type {name} = {};\n", literal(names)),
        Shape::Variants { tag, of } => {
            let mut out = String::new();
            let mut names = Vec::new();
            for variant in of {
                let class = format!("{name}{}", camel(&variant.value));
                out.push_str(&object(&class, &variant.about, &variant.fields, Some((tag, &variant.value))));
                names.push(class);
            }
            let tags = constant(name, tag);
            write!(out, "\n/** {about} */\nexport type {name} = {};\n", names.join(" | ")).unwrap();
            write!(out, "\n/** Every `{tag}` of it. */\nexport declare const {tags}: readonly {name}[\"{tag}\"][];\n")
                .unwrap();
            out
        }
    }
}

fn object(name: &str, about: &str, fields: &[Field], tag: Option<(&str, &str)>) -> String {
    let mut out = format!("\n/** {about} */\nexport interface {name} {{\n");
    if let Some((tag, value)) = tag {
        writeln!(out, "  {tag}: \"{value}\";").unwrap();
    }
    for Field { name, holds, required, about } in fields {
        let mark = if *required { "" } else { "?" };
        writeln!(out, "  /** {about} */\n  {name}{mark}: {};", typed(holds)).unwrap();
    }
    out + "}\n"
}

fn typed(holds: &Type) -> String {
    match holds {
        Type::Text => "string".to_owned(),
        Type::Whole => "number".to_owned(),
        Type::Truth => "boolean".to_owned(),
        Type::Nothing => "null".to_owned(),
        Type::Anything => "Record<string, unknown>".to_owned(),
        Type::List(inner) => format!("Array<{}>", typed(inner)),
        Type::Table(inner) => format!("Record<string, {}>", typed(inner)),
        Type::OneOf(names) => literal(names),
        Type::Named(name) => name.clone(),
        Type::Either(several) => several.iter().map(typed).collect::<Vec<_>>().join(" | "),
    }
}

fn literal(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" | ")
}

pub(crate) fn words(texts: &[Text]) -> String {
    let mut out = format!("{HEAD}\n/** What a model hears, in both languages. */\nexport const WORDS = {{\n");
    for Text { name, english, chinese } in texts {
        writeln!(out, "  {name}: {{\n    en: {english:?},\n    zh: {chinese:?},\n  }},").unwrap();
    }
    out + "};\n"
}
