//! A gateway or an agent that kills itself at a named point, for the harness in `signoff_e2e::crash`.

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    signoff_e2e::crash::play(&arguments);
}
