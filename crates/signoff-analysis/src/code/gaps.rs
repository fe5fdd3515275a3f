//! Tests: what of a text of code was not read, or not followed to its end, is a gap and never nothing.

use signoff_model::Verdict;

use crate::testing::check;

/// The code within so many brackets.
fn nested(code: &str, depth: usize) -> String {
    format!("{}{code}{}", "[".repeat(depth), "]".repeat(depth))
}

#[test]
fn brackets_hide_nothing() {
    let python = [
        "getattr(__import__('os'),'sys'+'tem')('r'+'m -r'+'f /et'+'c')",
        "open('/et'+'c/passw'+'d','w')",
        "print(open('/home/user/.ssh/id_rsa').read())",
    ];
    let mut commands: Vec<String> = python.iter().map(|code| format!("python3 -c \"{}\"", nested(code, 60))).collect();
    let script = nested("require('fs').writeFileSync('.git/hooks/pre-commit','x')", 60);
    commands.push(format!("node -e \"{script}\""));
    commands.push("python3 -c 'print(\"a'".to_owned());
    check(Verdict::Ask, &commands.iter().map(String::as_str).collect::<Vec<_>>());
    check(Verdict::Allow, &[&format!("python3 -c \"print({})\"", nested("1", 12))]);
}

#[test]
fn everyday_code_is_read_to_its_end() {
    check(
        Verdict::Allow,
        &[
            "node -e 'const q = /\\x27/; console.log(\"it\".replace(/\"/g, \"\"))'",
            "python3 -c \"print('it\\'s', r'\\d+', f'{1:>3}', '''a'b''')\"",
            "perl -ne 'print if m{^\"}' notes.txt",
            "ruby -e 'puts \"it#{1 + 1}s\"; puts %w[a b].join(\"|\")'",
            "node -e 'const t = `a ${[1,2].map(x => `<${x}>`).join(\"\")} b`; console.log(t)'",
            "awk '/\"/ {print $1}' notes.txt",
        ],
    );
}

#[test]
fn every_file_that_code_writes_is_remembered() {
    let names: Vec<String> = (0..13).map(|number| format!("'s{number}.sh'")).collect();
    let long = format!("python3 -c \"for f in [{}]: open(f,'w').write('rm -rf ~')\" && bash s3.sh", names.join(","));
    check(
        Verdict::Block,
        &[
            "python3 -c \"for f in ['a.sh','b.sh']: open(f,'w').write('rm -rf ~')\" && bash a.sh",
            "python3 -c \"for f in ['a.sh','b.sh']: open(f,'w').write('rm -rf ~')\" && bash b.sh",
            "node -e \"for (const f of ['a.sh','b.sh']) require('fs').writeFileSync(f,'rm -rf ~')\" && bash a.sh",
            "ruby -e \"['a.sh','b.sh'].each { |f| File.write(f,'rm -rf ~') }\" && bash a.sh",
            "python3 -c \"\ndef w(f):\n    open(f,'w').write('rm -rf ~')\nw('a.sh')\nw('b.sh')\n\" && bash a.sh",
            &long,
        ],
    );
    check(
        Verdict::Allow,
        &[
            "python3 -c \"for f in ['a.sh','b.sh']: open(f,'w').write('echo hi')\" && bash a.sh",
            "python3 -c \"for f in ['a.txt','b.txt']: open(f,'w').write('rm -rf ~')\" && cat a.txt",
        ],
    );
}

#[test]
fn a_variable_can_always_be_set_again() {
    let many: String = (0..4100).map(|number| format!("v{number}=1\n")).collect();
    let command = format!("python3 -c \"import shutil\np='build'\n{many}p='/etc'\nshutil.rmtree(p)\"");
    check(Verdict::Block, &[&command]);
}

#[test]
fn calls_and_loops_come_to_every_combination() {
    check(
        Verdict::Ask,
        &[
            "python3 -c \"\nimport shutil\ndef f(a):\n  for x in ['src','build']:\n    shutil.rmtree(a+x)\nf('build/')\nf('')\n\"",
            "python3 -c \"\nimport shutil\nfor a in ['build/1','build/2','build/3','build/4','build/5']:\n  for b in ['x','y','../../src']:\n    shutil.rmtree(a+'/'+b)\n\"",
            "python3 -c \"\nimport shutil\np=''\nfor a in ['build/','']: p=a\nfor x in ['src','build']: shutil.rmtree(p+x)\n\"",
            "python3 -c \"\nimport os\ndef w(f):\n  os.remove(f)\nfor x in ['build/a','/srv/data.db']: w(x)\n\"",
        ],
    );
    let calls: String = (0..20).map(|number| format!("f('build/{number}')\n")).collect();
    check(
        Verdict::Block,
        &[
            "python3 -c \"\nimport shutil\ndef f(a):\n  for x in ['etc','build']:\n    shutil.rmtree(a+x)\nf('./')\nf('/')\n\"",
            &format!("python3 -c \"\nimport shutil\ndef f(a):\n  shutil.rmtree(a)\n{calls}f('/etc')\n\""),
        ],
    );
}

#[test]
fn what_is_too_much_to_follow_may_be_anything() {
    let list = |length: usize| (0..length).map(|number| format!("'build/{number}'")).collect::<Vec<_>>().join(",");
    let climbing = format!("{},'../../src'", list(9));
    let twice = |body: &str| {
        format!("python3 -c \"\nimport shutil,os\nfor a in [{0}]:\n  for b in [{0}]:\n    {body}\n\"", list(9))
    };
    let away =
        |body: &str| twice(body).replace(&format!("in [{}]:\n    ", list(9)), &format!("in [{climbing}]:\n    "));
    check(
        Verdict::Ask,
        &[&away("shutil.rmtree(a+'/'+b)"), &away("os.system('rm -rf '+a+'/'+b)"), &twice("os.system(a+b)")],
    );
    let calls: String = (0..9).map(|number| format!("w('out/{number}.txt')\nlog('{number}')\n")).collect();
    check(
        Verdict::Allow,
        &[
            &twice("print(a,b)"),
            &twice("shutil.rmtree(a+'/'+b)"),
            &away("open('out/'+a+b,'w').write(a)"),
            &format!("python3 -c \"\nimport os\nfor a in [{}]: os.makedirs(a, exist_ok=True)\n\"", list(40)),
            &format!(
                "python3 -c \"\ndef w(p):\n  open(p,'w').write('x')\ndef log(t):\n  print(t)\n{calls}\nfor a in [{}]:\n  w(a)\n\"",
                list(9)
            ),
            "python3 -c \"\ndef fact(n):\n  open('log.txt','a').write(str(n))\n  return n*fact(n-1) if n else 1\nprint(fact(5))\n\"",
            "python3 -c \"\nimport os\ndef walk(d):\n  for e in os.listdir(d):\n    walk(os.path.join(d,e))\n  open('out/log.txt','a').write(d)\nwalk('src')\n\"",
        ],
    );
}

#[test]
fn the_last_of_many_counts_as_well() {
    let items: Vec<String> = (0..16).map(|number| format!("build\\{number}")).collect();
    let long: Vec<String> = (0..100).map(|number| format!("build\\{number}")).collect();
    let each =
        |items: &[String], last: &str| format!("cmd /c \"for %a in ({} {last}) do rmdir /s /q %a\"", items.join(" "));
    check(Verdict::Ask, &[&each(&items, "src"), &each(&long, "src")]);
    check(Verdict::Allow, &[&each(&items, "build\\x")]);
    let written: String = (0..17).map(|number| format!("echo 'echo hi' > s{number}.sh; ")).collect();
    check(Verdict::Block, &[&format!("{written}echo 'rm -rf ~' > z.sh; for f in *.sh; do bash $f; done")]);
}

#[test]
fn default_values_are_computed_at_once() {
    check(Verdict::Block, &["python3 -c \"\nimport os\ndef f(a: str = 'x', b=os.system('rm -rf /etc')):\n  pass\n\""]);
    check(Verdict::Allow, &["python3 -c \"\ndef f(a: str = 'x', b=[1, 2], *c, d=None):\n  print(str(a))\nf('y')\n\""]);
}

#[test]
fn a_function_that_is_reached_on_other_ways_asks() {
    let long = format!("python3 -c \"import a; a{}.os.system('rm -rf /etc')\"", ".a".repeat(600));
    check(
        Verdict::Ask,
        &[
            "python3 -c \"import os; vars(os)['system']('rm -rf /etc')\"",
            "python3 -c \"import os,operator; operator.attrgetter('system')(os)('rm -rf /etc')\"",
            "python3 -c \"import os; (lambda f: f('rm -rf /etc'))(os.system)\"",
            "python3 -c \"import os; (lambda f: f)(os.system)('rm -rf /etc')\"",
            "python3 -c \"import os; (lambda a, f: f(a))('rm -rf /etc', os.system)\"",
            "node -e \"Object.values(require('child_process'))[3]('rm -rf /etc')\"",
        ],
    );
    check(
        Verdict::Block,
        &[
            &long,
            "python3 -c \"import os; os.__getattribute__('system')('rm -rf /etc')\"",
            "python3 -c \"import os; object.__getattribute__(os,'system')('rm -rf /etc')\"",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "python3 -c \"import os; print(vars(os).keys()); print(dir(os)); help(os)\"",
            "python3 -c \"import os,inspect; print(inspect.getsource(os.path.join)); print([n for n,_ in inspect.getmembers(os)])\"",
            "python3 -c \"import os; f = (lambda p: os.path.join('a', p)); print(f('b'))\"",
            "python3 -c \"import os; print(sorted(os.listdir('.'), key=os.path.getmtime))\"",
            "node -e \"const fs=require('fs'); const {promisify}=require('util'); promisify(fs.readFile)('a.txt','utf8').then(console.log)\"",
            "node -e \"const fs=require('fs'); fs.createReadStream('a.txt').on('data', d => console.log(d.length))\"",
            "node -e \"console.log(Object.keys(require('fs')).length)\"",
        ],
    );
}

#[test]
fn the_environment_is_shown_in_every_language() {
    check(
        Verdict::Ask,
        &[
            "perl -e 'print \"$_=$ENV{$_}\" for keys %ENV'",
            "perl -e 'print \"$_=$ENV{$_}\\n\" foreach sort keys %ENV'",
            "Rscript -e 'Sys.getenv()'",
            "elixir -e 'IO.inspect(System.get_env())'",
            "echo $GITHUB_TOKEN | cut -c1-4",
            "echo \"$GITHUB_TOKEN\" | base64 | cat",
            "printf %s $GITHUB_TOKEN | head -c 4",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "perl -e 'print \"$_=$ENV{$_}\" for qw(LANG TERM)'",
            "perl -e 'print $ENV{HOME}'",
            "Rscript -e 'Sys.getenv(\"LANG\")'",
            "elixir -e 'IO.inspect(System.get_env(\"LANG\"))'",
            "echo $GITHUB_TOKEN | wc -c",
            "echo $GITHUB_TOKEN | sha256sum",
            "if echo $GITHUB_TOKEN | grep -q ghp_; then echo classic; fi",
            "echo $LANG | cut -c1-2",
        ],
    );
}

#[test]
fn writing_nothing_empties_a_file() {
    check(
        Verdict::Ask,
        &[
            "python3 -c \"from pathlib import Path; Path('src/main.py').write_text('')\"",
            "python3 -c \"open('src/main.py','w').write('')\"",
            "node -e \"require('fs').writeFileSync('src/main.js','')\"",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "python3 -c \"from pathlib import Path; Path('pkg/__init__.py').write_text('')\"",
            "python3 -c \"from pathlib import Path; Path('src/main.py').write_text('x = 1')\"",
            "node -e \"require('fs').appendFileSync('log.txt','')\"",
        ],
    );
}

#[test]
fn a_compiler_reads_its_input_in_its_own_language() {
    check(
        Verdict::Block,
        &[
            "go run /dev/stdin <<'E'\npackage main\nimport \"os\"\nfunc main() { h, _ := os.UserHomeDir(); os.RemoveAll(h) }\nE",
        ],
    );
}

#[test]
fn what_is_written_to_some_file_may_be_in_the_one_that_runs() {
    check(
        Verdict::Block,
        &[
            "python3 -c \"import random\nopen('a'+str(random.random()),'w').write('rm -rf ~')\" && bash a0.1",
            "python3 -c \"from pathlib import Path; import sys\nPath(input()).write_text('rm -rf ~')\" && bash m.sh",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "python3 -c \"import random\nopen('a'+str(random.random()),'w').write('echo hi')\" && bash a0.1",
            "python3 -c \"import random\nopen('out/'+str(random.random()),'w').write('rm -rf ~')\" && bash build.sh",
        ],
    );
}

#[test]
fn harm_that_is_handed_on_is_seen() {
    check(
        Verdict::Block,
        &[
            "python3 -c \"import os; os.__dict__.get('system')('rm -rf /etc')\"",
            "python3 -c \"import cProfile; cProfile.run('import os; os.system(\\\"rm -rf /etc\\\")')\"",
            "python3 -c \"import code; code.InteractiveInterpreter().runsource('import os; os.system(\\\"rm -rf /etc\\\")')\"",
            "python3 -c \"import os,threading; threading.Timer(0, os.system, ['rm -rf /etc']).start()\"",
            "python3 -c \"from os import *; spawnvp(P_WAIT, 'rm', ['rm', '-rf', '/etc'])\"",
            "node -e \"const {['exec'+'Sync']: f}=require('child_process'); f('rm -rf /etc')\"",
            "node -e \"Reflect.apply(require('child_process').execSync,null,['rm -rf /etc'])\"",
            "node -e \"setTimeout(require('child_process').execSync,0,'rm -rf /etc')\"",
            "python3 -c \"import os,functools; functools.partial(os.system, 'rm -rf /etc')()\"",
            "perl -e '&{\\&CORE::system}(\"rm -rf /etc\")'",
            "perl -e 'my $f = \\&CORE::system; $f->(\"rm -rf /etc\")'",
        ],
    );
    check(
        Verdict::Ask,
        &[
            "python3 -c \"import os as o, operator as p; p.methodcaller('system','rm -rf /etc')(o)\"",
            "python3 -c \"import os; f = getattr(os, input()); f('ls')\"",
            "python3 -c \"import os; c=type('X',(),{'f':staticmethod(os.system)}); c.f('rm -rf /etc')\"",
            "python3 -c \"().__class__.__base__.__subclasses__()[137].__init__.__globals__['system']('rm -rf /etc')\"",
            "node -e \"const k=process.argv[1]; const {[k]: f}=require('child_process'); f('rm -rf /etc')\"",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "python3 -c \"import os; print([m for m in dir(os) if callable(getattr(os,m))][:5])\"",
            "python3 -c \"import os; print([x for x in dir(os) if x.startswith('get')])\"",
            "python3 -c \"import os; print(getattr(os, 'name'), getattr(os, input(), None))\"",
            "python3 -c \"import os; print(list(map(os.stat, ['a','b'])))\"",
            "python3 -c \"import subprocess\ntry:\n  print(1)\nexcept subprocess.CalledProcessError as e:\n  print(str(e), isinstance(e, subprocess.CalledProcessError))\"",
            "python3 -c \"import os,functools; f=functools.partial(os.path.join, 'a'); print(f('b'))\"",
            "node -e \"const fs=require('fs'); console.log(fs, 'x'); console.log(Object.keys(fs), 'y')\"",
            "node -e \"setTimeout(() => console.log('x'), 100)\"",
            "python3 -c \"from os import *; print(getcwd(), sep)\"",
        ],
    );
}

#[test]
fn signs_that_look_like_quotes_hide_nothing() {
    let long = format!("(list {}) (system \"ls\") (delete-directory \"/srv/x\" t)", "a ".repeat(5000));
    check(
        Verdict::Ask,
        &[
            "perl -e 'print - s/a/system(\"rm -rf src\")/e'",
            "julia -e \"A'; rm(src); B'\"",
            "guile -c '(list #\\; (delete-file \"/srv/x\"))'",
            &format!("emacs --batch --eval '(progn (shell-command \"ls\") {long})'"),
        ],
    );
    check(
        Verdict::Allow,
        &[
            "perl -lane '$sum += -s $_; END {print $sum}' list.txt",
            "perl -e 'print -s \"a.txt\", \"\\n\"'",
            "perl -ne 'print if -s $_ > 100' f",
            "perl -e 'printf(\"%d\\n\", -s $ARGV[0])' a",
            "elixir -e 'IO.inspect(~r/\"/)'",
            "julia -e \"println(A')\"",
            "octave --eval \"disp(A')\"",
            "ghc -e \"foldl' (+) 0 [1..10]\"",
        ],
    );
}
