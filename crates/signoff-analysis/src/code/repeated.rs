//! Tests: what is looped over and what functions are called with, one by one and all together.

use signoff_model::Verdict;

use crate::testing::check_all;

/// Texts in quotes, with commas between them.
fn list(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().map(|item| format!("'{item}'")).collect::<Vec<_>>().join(",")
}

fn many(count: usize, last: &str) -> String {
    list((0..count).map(|number| format!("x{number}")).chain([last.to_owned()]))
}

fn python(code: &str) -> String {
    format!("python3 -c \"\nimport shutil,os\n{code}\n\"")
}

fn node(code: &str) -> String {
    format!("node -e \"const fs=require('fs'),cp=require('child_process');{code}\"")
}

#[test]
fn one_call_says_nothing_about_another() {
    check_all(
        Verdict::Ask,
        &[
            node("function f(a){fs.rmSync(a,{recursive:true})} f('build/x'); f(process.argv[1])"),
            python("from x import y\ndef f(a):\n  shutil.rmtree(a)\nf('build/x')\nf(y())"),
            python("def f(a):\n  shutil.rmtree(a)\nf('build/x')\nf(input())"),
            "ruby -e \"require 'fileutils'\ndef f(a)\n  FileUtils.rm_rf(a)\nend\nf('build/x')\nf 'src'\n\"".to_owned(),
            "perl -e 'use File::Path; sub f { my ($a) = @_; rmtree($a); } f(\"build/x\"); &f(\"src\")'".to_owned(),
            python("def f(a='build/y',b='build/z'):\n  shutil.rmtree(b)\nf('build/x')\nf(**o)"),
            node("function f(a,b='build/z'){fs.rmSync(b,{recursive:true})} f('build/x'); f(...o)"),
            python("def f(a,*b):\n  for x in b:\n    shutil.rmtree(x)\nf('build/x','build/y','src')"),
        ],
    );
    check_all(
        Verdict::Block,
        &[
            python("def clean(path='/'):\n  shutil.rmtree(path)\nclean('build')\nclean()"),
            python("def f(a='/etc'):\n  shutil.rmtree(a)\nf()\nf('build/x')"),
            python("def f(a: str = '/etc', b=1):\n  shutil.rmtree(a)\nf()"),
            node("function f(a='/etc'){fs.rmSync(a,{recursive:true})} f(); f('build/x')"),
            node("function f(a,o){fs.rmSync(a,{recursive:true})} f('/etc',{a:'build/x'})"),
            node("function f({x},a){fs.rmSync(a,{recursive:true})} f({x:'build/x'},'/etc'); f({x:1},'build/y')"),
            node("function f({a}){fs.rmSync(a,{recursive:true})} f({a:'build/x'}); f({a:'/etc'})"),
            python("def f(a):\n  shutil.rmtree(a)\nf('build/x')\nf(*['/etc'])"),
            python("def f(a):\n  shutil.rmtree(a)\nf('build/x')\nf(**{'a':'/etc'})"),
            python("class A:\n  def __init__(self,p):\n    shutil.rmtree(p)\nA('build/x')\nA('/etc')"),
            python("class A:\n  def f(self,p):\n    shutil.rmtree(p)\na=A()\na.f('build/x')\na.f('/etc')"),
        ],
    );
    check_all(
        Verdict::Allow,
        &[
            python("def f(a='build/y'):\n  shutil.rmtree(a)\nf()\nf('build/x')"),
            python("def f(a, b=None, *c, **d):\n  print(a, b)\nf('x')\nf(input())"),
            python("def w(p, text=''):\n  open(p,'w').write(text + 'x')\nw('out/a.txt')\nw('out/b.txt', text='b')"),
            node("function f(a='build/y'){fs.rmSync(a,{recursive:true})} f(); f('build/x')"),
            python("def main():\n  print(1)\nif __name__ == '__main__':\n  main()"),
        ],
    );
}

#[test]
fn what_a_function_calls_itself_with_counts() {
    let twice = |place: &str| {
        format!("def f(a,n):\n  shutil.rmtree(a)\n  if n>1: f('build/y',n-1)\n  if n: f('{place}',n-1)\nf('build/x',2)")
    };
    check_all(
        Verdict::Block,
        &[python(&twice("/etc")), python("def f(a):\n  shutil.rmtree(a)\n  f(a + '/../..')\nf('build/x')")],
    );
    check_all(
        Verdict::Ask,
        &[python(&twice("src")), python("def f(a):\n  shutil.rmtree(a)\n  f(a + input() + '/..')\nf('build/x')")],
    );
    check_all(
        Verdict::Allow,
        &[
            python(&twice("build/z")),
            python(
                "def walk(d):\n  for e in os.listdir(d):\n    walk(os.path.join(d,e))\n  os.rmdir(d)\nwalk('build')",
            ),
            node(
                "function walk(d){for(const e of fs.readdirSync(d)){const p=d+'/'+e; if(e.endsWith('.map')) fs.unlinkSync(p); else walk(p)}} walk('dist')",
            ),
            python("def fib(n):\n  return n if n < 2 else fib(n-1) + fib(n-2)\nprint(fib(20))"),
        ],
    );
}

#[test]
fn of_many_elements_none_is_lost() {
    let padding = format!("# {}\n", "padding ".repeat(2800));
    let nine = list((0..9).map(|number| format!("n{number}")));
    let tail = |last: &str| format!("{nine},'{last}'");
    check_all(
        Verdict::Block,
        &[
            python(&format!("for b in [{}]:\n  os.system('echo build/'+b)", many(70, ";rm -rf ~"))),
            node(&format!("for (const b of [{}]) cp.execSync('echo '+b)", many(70, "x;rm -rf ~"))),
            python(&format!("for a in [{nine}]:\n  for b in [{}]:\n    os.system('echo '+a+b)", tail("x;rm -rf ~"))),
            python(&format!("{padding}for b in [{}]:\n  os.system('echo '+b)", many(7, "x;rm -rf ~"))),
            python("for n,c in [('a','ls'),('b','rm -rf ~')]:\n  os.system(c)"),
        ],
    );
    let climbing = list((0..70).map(|number| format!("../a{number}")));
    check_all(
        Verdict::Ask,
        &[
            python(&format!("for b in [{}]:\n  open(b,'w').write('x')", many(70, ".git/hooks/pre-commit"))),
            python(&format!("for b in [{}]:\n  shutil.rmtree('build/.'+b)", many(70, "./src"))),
            python(&format!("for b in [{}]:\n  shutil.rmtree('build/.'+b)", many(70, "."))),
            python(&format!(
                "for a in [{}]:\n  for b in [{}]:\n    shutil.rmtree('build/'+a+b)",
                tail("."),
                tail("./src")
            )),
            python(&format!("for b in [{}]:\n  shutil.rmtree(b)", many(70, "src"))),
            python(&format!("for b in [{climbing}]:\n  os.system('echo '+b)")),
        ],
    );
    check_all(
        Verdict::Allow,
        &[
            python(&format!("for b in [{}]:\n  shutil.rmtree('build/'+b)", many(70, "src"))),
            python(&format!("for b in [{}]:\n  print(b)", many(70, "it costs 5, or not."))),
            python(&format!("for b in [{}]:\n  open('out/'+b,'w').write(b)", many(70, "y.txt"))),
            python("for i in [1,2,3]:\n  os.system(f'echo {i}')\n  shutil.rmtree(f'build/{i}')"),
            python("for name,size in [('a',1),('b',2)]:\n  open('out/'+name,'w').write(str(size))"),
            node("for (const [k,v] of [['a','b c'],['d','e f']]) console.log(k, v)"),
        ],
    );
}

#[test]
fn loops_that_have_to_do_with_one_another_are_read_in_every_combination() {
    let a = list((0..8).map(|number| format!("build/{number}/")).chain([String::new()]));
    let b = list(["src".to_owned()].into_iter().chain((0..8).map(|number| format!("build/y{number}"))));
    check_all(
        Verdict::Ask,
        &[
            python(&format!("for a in [{a}]: p=a\nfor b in [{b}]: shutil.rmtree(p+b)")),
            python(&format!("for a in [{a}]: p=a\nfor b in [{b}]: q=b\nshutil.rmtree(p+q)")),
            python(&format!("l=[]\nfor a in [{a}]: l.append(a)\nfor b in [{b}]: shutil.rmtree(l[0]+b)")),
            python(&format!("for a in [{a}]: os.chdir(a or '.')\nfor b in [{b}]: shutil.rmtree(b)")),
            node(&format!(
                "for (const a of [{a}]) if (a=='q') {{}} else {{ for (const b of [{b}]) fs.rmSync(a+b,{{recursive:true}}) }}"
            )),
            node(&format!(
                "for (const a of [{a}]) try {{}} finally {{ for (const b of [{b}]) fs.rmSync(a+b,{{recursive:true}}) }}"
            )),
            format!(
                "ruby -e \"require 'fileutils'; [{a}].each do |a| h = {{}}; [{b}].each do |b| FileUtils.rm_rf(a+b) end end\""
            ),
            format!(
                "ruby -e \"require 'fileutils'; for a in [{a}] do h = {{}}; for b in [{b}] do FileUtils.rm_rf(a+b) end end\""
            ),
            format!(
                "ruby -e \"require 'fileutils'; for a in [{a}] do x = 1 if a; y = if a then 1 else 2 end; for b in [{b}] do FileUtils.rm_rf(a+b) end end\""
            ),
            format!(
                "php -r \"foreach ([{a}] as \\$a): if (1) {{ }} foreach ([{b}] as \\$b): unlink(\\$a.\\$b); endforeach; endforeach;\""
            ),
        ],
    );
    let built = list((0..9).map(|number| format!("build/z{number}")));
    check_all(
        Verdict::Allow,
        &[
            python(&format!("for p in [{built}]: shutil.rmtree(p)\nfor p in [{built}]: shutil.rmtree(p)")),
            python(&format!(
                "for a in [{built}]:\n  p = a + '/x'\n  shutil.rmtree(p)\nfor b in [{built}]:\n  p = b + '/y'\n  shutil.rmtree(p)"
            )),
            node(&format!(
                "for (const a of [{built}]) {{ fs.rmSync(a,{{recursive:true}}) }} for (const b of [{built}]) {{ fs.rmSync(b,{{recursive:true}}) }}"
            )),
            node(&format!(
                "[{built}].forEach(a => fs.rmSync(a,{{recursive:true}})); [{built}].forEach(b => {{ fs.rmSync(b,{{recursive:true}}) }});"
            )),
            format!(
                "ruby -e \"require 'fileutils'; [{built}].each {{ |a| FileUtils.rm_rf(a) }}; [{built}].each do |b| FileUtils.rm_rf(b) end\""
            ),
        ],
    );
}

#[test]
fn a_function_with_many_parameters_gets_anything_at_every_place() {
    let parameters: Vec<String> = (0..17).map(|number| format!("a{number}")).collect();
    let filler = "'q',".repeat(16);
    let calls: String = (0..70).map(|number| format!("f({filler}'../x{number}')\n")).collect();
    let code = format!("def f({}):\n  shutil.rmtree('build/'+a16)\n{calls}", parameters.join(","));
    check_all(Verdict::Ask, &[python(&code)]);
    let plain = code.replace("../x", "x");
    check_all(Verdict::Allow, &[python(&plain)]);
}

#[test]
fn a_function_may_be_reached_without_its_name_being_called() {
    let define = "def f(a):\n  shutil.rmtree(a)\n";
    check_all(
        Verdict::Block,
        &[
            python(&format!("{define}globals()['f']('/etc')\nf('build/x')")),
            python(&format!("{define}globals().get('f')('/etc')\nf('build/x')")),
            python(&format!("import sys\n{define}sys.modules['__main__'].f('/etc')\nf('build/x')")),
            python(&format!("{define}x = [f]\nx[0]('/etc')\nf('build/x')")),
            node("function f(a){fs.rmSync(a,{recursive:true})} globalThis.f('/etc'); f('build/x')"),
        ],
    );
    check_all(
        Verdict::Ask,
        &[
            python("def deco(g):\n  g('/etc')\n  return g\n@deco\ndef f(a):\n  shutil.rmtree(a)\nf('build/x')"),
            python(&format!("{define}g = f\nh(g)\nf('build/x')")),
            node("function f(a){fs.rmSync(a,{recursive:true})} run(f); f('build/x')"),
        ],
    );
    check_all(
        Verdict::Allow,
        &[
            python("@lru_cache\ndef f(a):\n  shutil.rmtree(a)\nf('build/x')"),
            python("def f(a):\n  print(a)\nlist(map(f, [1,2]))\nf('build/x')"),
            node("function f(a){console.log(a)} [1,2].forEach(f); f('build/x')"),
        ],
    );
}
