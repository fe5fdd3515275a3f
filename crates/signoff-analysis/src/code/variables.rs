//! Tests: variables that change in a loop, behind a definition, or in a branch.

use signoff_model::Verdict;

use crate::testing::check_all;

fn python(code: &str) -> String {
    format!("python3 -c \"\nimport os,shutil,subprocess,sys,glob\n{code}\n\"")
}

fn node(code: &str) -> String {
    format!("node -e \"const fs=require('fs'),cp=require('child_process'),path=require('path');{code}\"")
}

fn in_quotes(program: &str, code: &str) -> String {
    format!("{program} '{code}'")
}

#[test]
fn a_loop_comes_back_to_its_head_with_what_its_body_has_set() {
    check_all(
        Verdict::Block,
        &[
            python("c='ls'\nfor i in range(3):\n    os.system(c)\n    c='rm -rf ~'"),
            python("c='ls'\nwhile True:\n    os.system(c)\n    c='rm -rf ~'"),
            python("c='ls'\nwhile True:\n    os.system(c)\n    if c != 'ls': break\n    c='rm -rf ~'"),
            python("c='ls'\nfor i in x:\n    for j in y:\n        os.system(c)\n    c='rm -rf ~'"),
            python("c='ls'\nfor i in x:\n    os.system(c)\n    for j in y:\n        if j:\n            c='rm -rf ~'"),
            python("c='rm -rf'\nfor i in x:\n    os.system(c)\n    c += ' ~'"),
            python("c='rm -rf'\nfor i in x:\n    os.system(c)\n    c = c + ' ~'"),
            python("a=b=c='ls'\nfor i in x:\n    os.system(a)\n    a=b\n    b=c\n    c='rm -rf ~'"),
            python("a='ls'\nb='ls'\nfor i in x:\n    os.system(a)\n    a=b\n    b='rm -rf ~'"),
            python("a='echo '\nb='x'\nfor i in x:\n    os.system(a + b)\n    a='rm -rf '\n    b='~'"),
            python("d={'c':'ls'}\nfor i in x:\n    os.system(d['c'])\n    d['c']='rm -rf ~'"),
            python("d=['ls']\nfor i in x:\n    subprocess.run(d)\n    d=['rm','-rf',os.path.expanduser('~')]"),
            python("d=['rm']\nfor i in x:\n    subprocess.run(d)\n    d.append('-rf')\n    d.append('/')"),
            python(
                "class A:\n    def f(self):\n        self.c='ls'\n        for i in x:\n            os.system(self.c)\n            self.c='rm -rf ~'",
            ),
            python("p='build'\nfor i in x:\n    shutil.rmtree(p)\n    p='/etc'"),
            python("for i in x:\n    if i: os.system(c)\n    c='rm -rf ~'"),
            python("c='ls'\nfor i in x:\n    os.system(f'{c}')\n    c='rm -rf ~'"),
            python("f=print\nfor i in x:\n    f('rm -rf ~')\n    f=os.system"),
            python("exec('''\nc=\\\"ls\\\"\nfor i in x:\n    os.system(c)\n    c=\\\"rm -rf ~\\\"\n''')"),
            node("let c='ls'; for (let i=0;i<3;i++) { cp.execSync(c); c='rm -rf ~' }"),
            node("let c='ls'; for (const i of x) { cp.execSync(c); if (i) c='rm -rf ~' }"),
            node("let c='ls'; while (true) { cp.execSync(c); c='rm -rf ~' }"),
            node("let c='ls'; do { cp.execSync(c); c='rm -rf ~' } while (x)"),
            node("let c='ls'; for (;;) cp.execSync(c), c='rm -rf ~'"),
            node("let c='ls'; x.forEach(i => { cp.execSync(c); c='rm -rf ~' })"),
            node("const o={c:'ls'}; for (const i of x) { cp.execSync(o.c); o.c='rm -rf ~' }"),
            in_quotes("ruby -e", "c=\"ls\"; 3.times do system(c); c=\"rm -rf ~\" end"),
            in_quotes("ruby -e", "c=\"ls\"\nwhile true\n  system(c)\n  c=\"rm -rf ~\"\nend"),
            in_quotes("ruby -e", "c=\"ls\"\nfor i in x do\n  system(c)\n  c=\"rm -rf ~\"\nend"),
            in_quotes("ruby -e", "c=\"ls\"; x.each { |i| system(c); c=\"rm -rf ~\" }"),
            in_quotes("ruby -e", "c=\"ls\"; loop { system(c); c=\"rm -rf ~\" }"),
            in_quotes("ruby -e", "c=\"rm -rf\"; loop { system(c); c << \" ~\" }"),
            in_quotes("ruby -e", "c=\"ls\"; begin; system(c); c=\"rm -rf ~\"; end while x"),
            in_quotes("perl -e", "$c=\"ls\"; for (1..3) { system($c); $c=\"rm -rf ~\"; }"),
            in_quotes("perl -e", "my $c=\"ls\"; while (1) { system($c); $c=\"rm -rf ~\"; }"),
            in_quotes("perl -e", "my $c=\"ls\"; foreach my $i (@x) { system($c); $c=\"rm -rf ~\" if $i; }"),
            in_quotes("perl -e", "$c=\"ls\"; system($c), $c=\"rm -rf ~\" for 1..3;"),
            in_quotes("php -r", "$c=\"ls\"; for ($i=0;$i<3;$i++) { system($c); $c=\"rm -rf ~\"; }"),
            in_quotes("php -r", "$c=\"ls\"; foreach ($x as $i): system($c); $c=\"rm -rf ~\"; endforeach;"),
            in_quotes("php -r", "$c=\"ls\"; while (1): system($c); $c=\"rm -rf ~\"; endwhile;"),
            in_quotes("lua -e", "c=\"ls\"; for i=1,3 do os.execute(c); c=\"rm -rf ~\" end"),
            in_quotes("lua -e", "local c=\"ls\"; while true do os.execute(c); c=\"rm -rf ~\" end"),
            in_quotes("lua -e", "c=\"ls\"; repeat os.execute(c); c=\"rm -rf ~\" until x"),
            in_quotes("awk", "BEGIN{c=\"ls\"; for(i=0;i<3;i++){system(c); c=\"rm -rf ~\"}}"),
            in_quotes("awk", "BEGIN{c=\"ls\"} {system(c); c=\"rm -rf ~\"}"),
            in_quotes("awk", "BEGIN{c=\"ls\"; while(1){system(c); c=\"rm -rf ~\"}}"),
            in_quotes("awk", "NR==1{c=\"ls\"} NR==2{c=\"rm -rf ~\"} {system(c)}"),
            in_quotes("awk", "function f() {system(c); c=\"rm -rf ~\"} BEGIN{c=\"ls\"; f(); f()}"),
            in_quotes("perl -ne", "BEGIN{$c=\"ls\"} system $c; $c=\"rm -rf ~\""),
            in_quotes("lua -e", "local c=\"ls\" for _,v in ipairs(x) do os.execute(c) c=\"rm -rf ~\" end"),
            in_quotes("perl -e", "our $c=\"ls\"; sub f { system $c; $c=\"rm -rf ~\" } f; f"),
            in_quotes("ruby -e", "@c=\"ls\"; def f; system @c; @c=\"rm -rf ~\"; end; f; f"),
            in_quotes("ruby -e", "h={c: \"ls\"}; 2.times { system h[:c]; h[:c]=\"rm -rf ~\" }"),
            python("d={}\nd['x']='ls'\nfor i in y:\n    os.system(d['x'])\n    d.update(x='rm -rf ~')"),
            python("c='ls'\nfor i in x:\n    os.system(c)\n    globals()['c']='rm -rf ~'"),
            python("c='ls'\nfor i in x:\n    os.system(c)\n    c,d='rm -rf ~',1"),
            python("c='ls'\nfor i in x:\n    os.system(c)\n    if (c:='rm -rf ~'): pass"),
            python("l=['ls']\nfor x in l:\n    os.system(x)\n    l.append('rm -rf ~')"),
            python("def f(c):\n    for i in x:\n        os.system(c)\n        c='rm -rf ~'\nf('ls')"),
            python("self.c='ls'\nfor i in x:\n    os.system(self.c)\n    setattr(self,'c','rm -rf ~')"),
            node("const o={a:{c:'ls'}}; for (const i of x) { cp.execSync(o.a.c); o.a.c='rm -rf ~' }"),
            node("let c='ls'; for (let i=0;i<2;i++,c='rm -rf ~') cp.execSync(c)"),
            node("let c='ls'; setInterval(()=>{ cp.execSync(c); c='rm -rf ~' },10)"),
        ],
    );
    check_all(
        Verdict::Ask,
        &[
            python("p='build/x'\nfor i in range(3):\n    shutil.rmtree(p)\n    p=os.path.dirname(p)"),
            python("p='build/x'\nfor i in range(3):\n    shutil.rmtree(p)\n    p += '/..'"),
            python("p='build'\nfor i in x:\n    shutil.rmtree(p)\n    p='src'"),
            python("p='build'\nn=0\nwhile n<3:\n    shutil.rmtree(['build','src'][n])\n    n += 1"),
            node("let p='build'; for (const i of x) { fs.rmSync(p,{recursive:true}); p=path.dirname(p) }"),
        ],
    );
}

#[test]
fn a_function_sees_whatever_its_variables_may_hold_when_it_is_called() {
    check_all(
        Verdict::Block,
        &[
            python("c='ls'\ndef f():\n    os.system(c)\nc='rm -rf ~'\nf()"),
            python("c='ls'\ndef f():\n    os.system(c)\nc='rm -rf ~'\nf()\nc='ls'"),
            python("def f():\n    os.system(c)\nc='rm -rf ~'\nf()"),
            python("c='ls'\nf=lambda: os.system(c)\nc='rm -rf ~'\nf()"),
            python("c='ls'\ndef g():\n    global c\n    c='rm -rf ~'\nc='ls'\ng()\nos.system(c)"),
            python("def h():\n    c='ls'\n    def f():\n        os.system(c)\n    c='rm -rf ~'\n    f()\nh()"),
            python(
                "def h():\n    c='ls'\n    def g():\n        nonlocal c\n        c='rm -rf ~'\n    g()\n    os.system(c)\nh()",
            ),
            python(
                "class A:\n    def a(self):\n        self.c='rm -rf ~'\n    def b(self):\n        self.c='ls'\n    def f(self):\n        os.system(self.c)",
            ),
            python("c='rm -rf ~'\ndef f():\n    c='ls'\n    return c\nos.system(c)"),
            python("c='rm -rf ~'\ndef f(c='ls'):\n    return c\nos.system(c)"),
            node("let c='ls'; function f(){ cp.execSync(c) } c='rm -rf ~'; f()"),
            node("let c='ls'; const f=()=>cp.execSync(c); c='rm -rf ~'; f()"),
            node("let c='ls'; function g(){ c='rm -rf ~' } c='ls'; g(); cp.execSync(c)"),
            in_quotes("ruby -e", "$c=\"ls\"; def f; system($c); end; $c=\"rm -rf ~\"; f"),
            in_quotes("ruby -e", "c=\"ls\"; f = -> { system(c) }; c=\"rm -rf ~\"; f.call"),
            in_quotes("perl -e", "$c=\"ls\"; sub f { system($c) } $c=\"rm -rf ~\"; f();"),
            in_quotes("php -r", "$c=\"ls\"; function f() { global $c; system($c); } $c=\"rm -rf ~\"; f();"),
            in_quotes("lua -e", "c=\"ls\"; function f() os.execute(c) end; c=\"rm -rf ~\"; f()"),
        ],
    );
}

#[test]
fn a_branch_may_be_left_out() {
    check_all(
        Verdict::Block,
        &[
            python("c='rm -rf ~'\nif x:\n    c='ls'\nos.system(c)"),
            python("c='rm -rf ~'\nif x: c='ls'\nos.system(c)"),
            python("c='rm -rf ~'\ntry:\n    c=x()\nexcept Exception:\n    os.system(c)"),
            python("c='rm -rf ~'\ntry:\n    y()\n    c='ls'\nfinally:\n    os.system(c)"),
            python("if x:\n    c='rm -rf ~'\nelse:\n    c='ls'\nos.system(c)"),
            python("c='rm -rf ~' if x else 'ls'\nos.system(c)"),
            python("c='ls' if x else 'rm -rf ~'\nos.system(c)"),
            python("os.system('ls' if x else 'rm -rf ~')"),
            python("self.c='ls'\nself.c='rm -rf ~'\nos.system(self.c)"),
            python("self.c='rm -rf'\nself.c += ' ~'\nos.system(self.c)"),
            node("let c='rm -rf ~'; if (x) c='ls'; cp.execSync(c)"),
            node("let c='rm -rf ~'; if (x) { c='ls' } cp.execSync(c)"),
            node("let c='rm -rf ~'; x && (c='ls'); cp.execSync(c)"),
            node("let c='rm -rf ~'; switch (x) { case 1: c='ls'; break; case 2: cp.execSync(c) }"),
            node("cp.execSync(x ? 'ls' : 'rm -rf ~')"),
            node("this.c='ls'; this.c='rm -rf ~'; cp.execSync(this.c)"),
            in_quotes("ruby -e", "c=\"rm -rf ~\"; c=\"ls\" if x; system(c)"),
            in_quotes("ruby -e", "c=\"rm -rf ~\"\nif x\n  c=\"ls\"\nelse\n  system(c)\nend"),
            in_quotes("ruby -e", "c=\"rm -rf\"; c << \" ~\"; system(c)"),
            in_quotes("perl -e", "$c=\"rm -rf ~\"; $c=\"ls\" if $x; system($c);"),
            in_quotes("php -r", "$c=\"rm -rf ~\"; if ($x) $c=\"ls\"; system($c);"),
            in_quotes("php -r", "$c=\"rm -rf ~\"; if ($x): $c=\"ls\"; endif; system($c);"),
            in_quotes("php -r", "$t->c=\"ls\"; $t->c=\"rm -rf ~\"; system($t->c);"),
            in_quotes("lua -e", "c=\"rm -rf ~\"; if x then c=\"ls\" end; os.execute(c)"),
            in_quotes("lua -e", "c=\"rm -rf ~\" if x then c=\"ls\" else os.execute(c) end"),
            in_quotes("perl -e", "$c=\"rm -rf ~\"; $x and $c=\"ls\"; system $c"),
            in_quotes("awk", "BEGIN{c=\"rm -rf ~\"; if (x) c=\"ls\"; system(c)}"),
        ],
    );
}

#[test]
fn a_variable_that_is_set_or_used_very_often_is_still_followed() {
    let sets: String = (0..40).map(|number| format!("c='ls {number}'\n")).collect();
    let uses = "print(c)\n".repeat(50);
    check_all(
        Verdict::Block,
        &[
            python(&format!("c='ls'\n{uses}for i in x:\n    os.system(c)\n    c='rm -rf ~'")),
            python(&format!("{sets}c='rm -rf ~'\nos.system(c)\nif x:\n    c='ls'")),
        ],
    );
    check_all(
        Verdict::Ask,
        &[
            python(&format!("{sets}c='rm -rf ~'\nif x:\n    c='ls'\nos.system(c)")),
            python(&format!("for i in x:\n    os.system(c)\n    {}", sets.replace('\n', "\n    "))),
        ],
    );
    check_all(Verdict::Allow, &[python(&format!("{sets}os.system(c)\nif x:\n    print(c)"))]);
}

#[test]
fn numbers_that_are_decided_count_as_well() {
    check_all(
        Verdict::Ask,
        &[
            python("n=0\nif x:\n    n=1\nshutil.rmtree(['build','src'][n])"),
            python("n=1\nif x:\n    n=0\nshutil.rmtree(['build','src'][n])"),
            node("let r=true; if (x) r=false; fs.rmSync('src',{recursive:r})"),
            python("m=0o755\nif x:\n    m=0o4755\nos.chmod('a',m)"),
            python("m=0o4755\nif x:\n    m=0o755\nos.chmod('a',m)"),
        ],
    );
}

#[test]
fn ordinary_loops_and_functions_ask_nothing() {
    check_all(
        Verdict::Allow,
        &[
            python("total=0\nfor l in open('a.txt'):\n    total += len(l)\nprint(total)"),
            python(
                "out=''\nfor l in open('a.txt'):\n    l=l.strip()\n    if not l: continue\n    out += l + ','\nprint(out)",
            ),
            python("out=''\nfor l in open('a.txt'):\n    out += l\nopen('/tmp/x.txt','w').write(out)"),
            python("cmd=['git','log']\nif x:\n    cmd.append('--oneline')\nsubprocess.run(cmd)"),
            python("cmd=['git','log']\nfor f in sys.argv:\n    cmd += ['-S', f]\nsubprocess.run(cmd)"),
            python("args=['ls']\nfor f in ['a','b']:\n    args.append(f)\nsubprocess.run(args)"),
            python("path=None\nif x:\n    path='build/a'\nelse:\n    path='build/b'\nshutil.rmtree(path)"),
            python("path=None\nfor d in ['build','dist']:\n    path=os.path.join(d,'x')\n    shutil.rmtree(path)"),
            python("import tempfile\nfor i in range(3):\n    d=tempfile.mkdtemp()\n    shutil.rmtree(d)"),
            python(
                "for f in glob.glob('build/*.o'):\n    os.remove(f)\nfor f in glob.glob('dist/*.js'):\n    os.remove(f)",
            ),
            python("for f in glob.glob('src/*.py'):\n    print(f)\n[os.remove(f) for f in glob.glob('build/*')]"),
            python(
                "def a():\n    p='build/x'\n    shutil.rmtree(p)\ndef b():\n    p='src/main.rs'\n    print(open(p).read())\na()\nb()",
            ),
            python(
                "def show(path):\n    print(open(path).read())\npath='src/a.py'\nshow(path)\npath='build'\nshutil.rmtree(path)",
            ),
            python("i=0\nwhile i<10:\n    i += 1\n    if i % 2: continue\n    print(i)\nelse:\n    print('done')"),
            python("c='ls' if x else 'pwd'\nos.system(c)"),
            python("d='a'\nprint(d)\nd='build'\nshutil.rmtree(d)"),
            python("best=None\nfor l in open('x'):\n    if best is None or len(l) > len(best): best=l\nprint(best)"),
            python(
                "seen={}\nfor l in open('x'):\n    k=l.split()[0]\n    seen[k]=seen.get(k,0)+1\nfor k,v in sorted(seen.items()): print(k,v)",
            ),
            node("let n=0; for (const l of fs.readFileSync('a','utf8').split(',')) { n += l.length } console.log(n)"),
            node("let p='src'; console.log(p); p='dist'; fs.rmSync(p,{recursive:true})"),
            node(
                "['build','dist'].forEach(f => fs.rmSync(f,{recursive:true})); ['src','lib'].forEach(f => console.log(f))",
            ),
            node("const f='src'; function g(f){ fs.rmSync(f,{recursive:true}) } g('build'); console.log(f)"),
            node(
                "for (const f of ['src']) { const p=f+'/x'; console.log(p) } for (const f of ['build']) { const p=f+'/x'; fs.rmSync(p) }",
            ),
            in_quotes("ruby -e", "n=0; File.foreach(\"a\") { |l| next if l.empty?; n += l.size }; puts n"),
            in_quotes("ruby -e", "x = ARGV[0]\nreturn if x.nil?\nn = 0\nwhile n < 3\n  puts n\n  n += 1\nend"),
            in_quotes("perl -e", "my $n=0; while (<STDIN>) { chomp; next if /^#/; $n += length; } print $n;"),
            in_quotes(
                "perl -e",
                "my %h; while (<>) { my @f=split; $h{$f[0]}++ } print \"$_ $h{$_}\\n\" for sort keys %h;",
            ),
            in_quotes("php -r", "$n=0; foreach (file(\"a\") as $l) { $n += strlen($l); } echo $n;"),
            in_quotes("lua -e", "local n=0; for l in io.lines(\"a\") do n = n + #l end; print(n)"),
            in_quotes("awk", "{s+=$1; if ($1>m) m=$1} END{print s, m}"),
        ],
    );
}
