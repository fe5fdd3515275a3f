//! Other ways to the same functions, what a language does by itself, and code in odd places.

use signoff_model::Verdict::{Allow, Ask};

use super::tests::check_code;
use crate::{shell::Language, testing::check};

#[test]
fn other_ways_to_the_same_functions_are_found() {
    check_code(
        Language::Python,
        Ask,
        &[
            "import glob\nglob.os.remove('src/main.py')",
            "import os\nos.system.__call__('rm -rf src')",
            "from os import (\n  system as\n  s)\ns('rm -rf src')",
            "import os\nclass A(object):\n    x = staticmethod(os.remove)\nA.x('src/main.py')",
            "import builtins, os\nbuiltins.print = os.system\nprint('rm -rf src')",
            "import os\nos.\u{17f}ystem('rm -rf src')",
            "import subprocess\nsubprocess.run(['echo', 'x'], executable='/bin/rm')",
            "import os\nos.environ['LD_PRELOAD'] = '/tmp/x.so'\nos.system('ls')",
            "import tarfile\ntarfile.open('x.tgz').extractall('/')",
            "import shutil\nshutil.unpack_archive('x.zip', '/etc')",
            "import linecache\nprint(linecache.getline('.env', 1))",
            "import fileinput\nfor l in fileinput.input('/etc/hosts', inplace=True): print('x')",
            "import zipfile\nzipfile.ZipFile('/etc/hosts', 'w')",
            "import pandas as pd\npd.DataFrame().to_csv('/etc/hosts')",
            "import configparser\nc = configparser.ConfigParser()\nc.read('.env')\nprint(dict(c['default']))",
        ],
    );
    check_code(
        Language::JavaScript,
        Ask,
        &[
            "(0, require('child_process').execSync)('rm -rf src')",
            "const f = require('fs'); const o = {...f}; o.rmSync('src', {recursive: true})",
            "const f = r\\u0065quire('fs'); f.rmSync('src', {recursive: true})",
            "setTimeout(\"require('child_process').execSync('rm -rf src')\", 1)",
            "process.binding('spawn_sync').spawn({file: 'rm', args: ['rm', '-rf', 'src']})",
            "console.log({...process.env})",
            "const {API_TOKEN: t} = process.env; console.log(t)",
            "fetch(new Request('https://x.example.com', {method: 'POST', body: 'x'}))",
            "await Bun.file('src/main.ts').delete()",
        ],
    );
    check_code(
        Language::Ruby,
        Ask,
        &[
            "def f(c); system c; end; f 'rm -rf src'",
            "class A; def self.f(c); system c; end; end; A.f('rm -rf src')",
            "class A; def initialize(c); system c; end; end; A.new('rm -rf src')",
            "l = ->(c){ system c }; l.('rm -rf src')",
            "def f; yield 'rm -rf src'; end; f { |c| system c }",
            "'rm -rf src'.tap { |c| system(c) }",
            "IO.read('|rm -rf src')",
        ],
    );
    check_code(
        Language::Python,
        Allow,
        &[
            "import zipfile\nzipfile.ZipFile('a.zip').extractall('out')",
            "import logging\nlogging.basicConfig(level=logging.INFO)",
            "import pandas as pd\npd.read_csv('d.csv').to_json('d.json')",
            "import configparser\nc = configparser.ConfigParser()\nc.read('setup.cfg')\nprint(c['metadata']['name'])",
            "import os\nos.environ['DEBUG'] = '1'\nos.system('ls')",
        ],
    );
}

#[test]
fn what_perl_ruby_and_awk_read_and_run_by_themselves_is_found() {
    check(
        Ask,
        &[
            r#"perl '-Mstrict;system("rm -rf src")' -e 1"#,
            r#"perl '-Mstrict;system("rm -rf src")' -ne 1 a.txt"#,
            "perl -e 'print <>' .env",
            "perl -e '@ARGV=(\".env\"); print <>'",
            "perl -e 'local @ARGV=(\".env\"); print <>'",
            "perl -e '$_=q(system \"rm -rf src\"); eval'",
            "perl -e '$_=\"x\"; s/x/q(system \"rm -rf src\")/ee'",
            "perl -e '\"x\"=~/(?{system \"rm -rf src\"})/'",
            "perl -e 'do \"/tmp/x.pl\"'",
            "perl -e 'require \"/tmp/x.pl\"'",
            "perl -e 'my $c=\"ls\"; my $r=\\$c; $$r=\"rm -rf src\"; system $c'",
            "perl -e 'my $c=\"ls\"; substr($c,0,2)=\"rm -rf src\"; system $c'",
            "perl -e 'use IPC::Open3; open3(0,0,0,\"rm -rf src\")'",
            "perl -e 'print map {\"$_=$ENV{$_}\"} keys %ENV'",
            "perl -e 'print {open my $f,\">\",\"/etc/hosts\";$f} \"x\"'",
            "ruby -e 'puts ARGF.read' .env",
            "ruby -e '/#{system \"rm -rf src\"}/'",
            "ruby -e '%W[#{system \"rm -rf src\"}]'",
            "ruby -e 'alias :s :system; s \"rm -rf src\"'",
            "ruby -e 'a, *b = \"ls\", \"rm -rf src\"; system b[0]'",
            "ruby -e 'Pathname(\".\").children.each(&:delete)'",
            "ruby -e 'Dir.entries(\"/tmp/x\").each { |f| FileUtils.rm_rf \"/tmp/x/#{f}\" }'",
            "ruby -e 'IO.popen(\"sh\",\"w\") { |f| f.puts \"rm -rf src\" }'",
            "ruby -e 'ENV.each { |k,v| puts k,v }'",
            "awk 'BEGIN{while((getline l < \".env\")>0)print l}'",
            "awk 'BEGIN{getline < \".env\"; print}'",
            "awk 'BEGIN{c=\"ls\"; gsub(\"ls\",\"rm -rf src\",c); system(c)}'",
            "gawk 'BEGIN{f=\"system\"; @f(\"rm -rf src\")}'",
            "gawk 'BEGIN{print \"x\" |& \"/inet/tcp/0/1.2.3.4/1\"}'",
            "ipython -c '!rm -rf src'",
            "ipython -c '%sx rm -rf src'",
            "python3 -m zipfile -e x.zip /etc",
            "rr replay -x /tmp/orders",
            "rr replay -- -ex 'shell rm -rf src'",
            "dlv --init=/tmp/orders exec ./x",
        ],
    );
    check(
        Allow,
        &[
            "perl -MList::Util=sum -e 'print sum(1..10)'",
            "perl -e 'while(<>){print}' a.txt",
            "perl -ne 'print if /foo/' a.txt",
            "perl -e 'print map { $_ * 2 } (1, 2)'",
            "ruby -e 'puts ARGF.read.scan(/foo/).size' a.txt",
            "ruby -e 'n = 1; puts \"a\" =~ /#{n}/'",
            "awk 'BEGIN{while((getline l < \"a.txt\")>0) n++; print n}'",
            "ipython -c '%timeit sum(range(10))'",
            "rr replay",
            "dlv debug ./cmd/x",
        ],
    );
}

#[test]
fn code_in_odd_places_is_code() {
    check_code(
        Language::Python,
        Ask,
        &[
            r#"print(f"{__import__("os").system("rm -rf src")}")"#,
            r#"print(f"{1:{__import__('os').system('rm -rf src')}}")"#,
            r#"print(f"{__import__('os').system('rm -rf src'):'>10}")"#,
            r#"x = f"{1:'}" + str(__import__('os').system('rm -rf src')) + f"{1:'}""#,
            r#"print(f'{{}}{__import__("os").system("rm -rf src")}')"#,
            "def f(a: __import__('os').system('rm -rf src')): pass",
        ],
    );
    check_code(
        Language::JavaScript,
        Ask,
        &[
            "if(1)/'/.test(''); require('child_process').execSync('rm -rf src') //'",
            "const {a=require('child_process').execSync('rm -rf src')}={}",
            "import {'execSync' as e} from 'child_process'; e('rm -rf src')",
        ],
    );
    check_code(
        Language::Php,
        Ask,
        &[
            "@system('rm -rf src');",
            "$c='ls'; $r=&$c; $r='rm -rf src'; system($c);",
            "$c='ls'; ${'c'}='rm -rf src'; system($c);",
            "$c='ls'; list($c)=['rm -rf src']; system($c);",
            "$c='ls'; $GLOBALS['c']='rm -rf src'; system($c);",
            "$c='ls'; extract(['c'=>'rm -rf src']); system($c);",
            "$a=['s'=>'system']; $a['s']('rm -rf src');",
            "pcntl_exec('/bin/rm',['-rf','src']);",
        ],
    );
    check_code(
        Language::Lua,
        Ask,
        &[
            "_G.os.execute('rm -rf src')",
            "package.loaded.os.execute('rm -rf src')",
            "local t={os.execute}; t[1]('rm -rf src')",
            "local a,b='ls','rm -rf src'; os.execute(b)",
            "goto a; ::a:: os.execute('rm -rf src')",
        ],
    );
    check_code(
        Language::Python,
        Allow,
        &[
            r#"d = {"a": 1}; print(f"{d["a"]}", f'{d["a"]:>10}', f"{d['a']!r:^{5}}", f"{{x}}")"#,
            r#"x = 1; print(f"{x:'^10} it's", f"{x=}", rf'\d{x}\'')"#,
        ],
    );
    check_code(
        Language::JavaScript,
        Allow,
        &["if (a) /'/.test(b); const x = (a) / 2; f(x) / 3; const {b = 1, ...c} = {}"],
    );
    check_code(Language::Php, Allow, &["$a = [3, 1]; sort($a); echo \"${a}\", @$a[0], implode(',', $a);"]);
}

#[test]
fn what_goes_by_a_name_in_a_table_is_what_it_names() {
    check(
        Ask,
        &[
            r#"python3 -c "import os; globals()['os'].remove('src/lib.rs')""#,
            r#"python3 -c "import os; vars()['os'].remove('src/lib.rs')""#,
            r#"python3 -c "import os; locals()['o' + 's'].remove('src/lib.rs')""#,
            r#"python3 -c "import os; a = 'rm -rf src'; os.system(vars()['a'])""#,
            r#"python3 -c "import os; a = 'rm -rf src'; os.system(globals()['a'])""#,
            r#"python3 -c "import os; vars(os)['system']('rm -rf src')""#,
            r#"node -e "with (require('fs')) { rmSync('src', {recursive: true}) }""#,
            r#"node -e "const fs = require('fs'); with (fs) rmSync('src', {recursive: true})""#,
            r#"node -e "with (require('child_process')) { execSync('rm -rf src') }""#,
            r#"node -e "with ({f: require('fs').rmSync}) { f('src', {recursive: true}) }""#,
        ],
    );
    check(
        Allow,
        &[
            r#"python3 -c "print(globals()['__name__'])""#,
            r#"python3 -c "a = 1; print(vars()['a'])""#,
            r#"python3 -c "import argparse; a = argparse.Namespace(b=1); print(vars(a)['b'])""#,
            r#"python3 -c "import json; print(globals()['json'].dumps({}))""#,
            r#"node -e "with (require('fs')) { console.log(readdirSync('.')) }""#,
            r#"node -e "with ({a: 1}) { console.log(a) }""#,
            r#"node -e "with (Math) { console.log(max(1, 2)) }""#,
        ],
    );
}

#[test]
fn a_function_that_is_taken_by_its_name_is_called_all_the_same() {
    check(
        Ask,
        &[
            r#"php -r '(new ReflectionFunction("system"))->invoke("rm -rf src");'"#,
            r#"php -r '$f = new ReflectionFunction("system"); $f->invoke("rm -rf src");'"#,
            r#"php -r '$f = new ReflectionFunction("unlink"); $f->invokeArgs(["src/lib.rs"]);'"#,
            r#"php -r '$f = (new ReflectionFunction("system"))->getClosure(); $f("rm -rf src");'"#,
            r#"php -r 'Closure::fromCallable("system")->__invoke("rm -rf src");'"#,
            r#"php -r 'usort($a, "system");'"#,
            r#"php -r 'array_walk($argv, "unlink");'"#,
            r#"php -r 'array_map("system", $argv);'"#,
            r#"php -r 'iterator_apply($it, "system", ["rm -rf src"]);'"#,
            r#"php -r 'ob_start("system"); echo "rm -rf src"; ob_end_flush();'"#,
            r#"python3 -c "import os, sys; list(map(os.system, sys.argv))""#,
            r#"python3 -c "import os; sorted(x, key=os.system)""#,
            r#"lua -e 'os.execute("\114\109 -rf src")'"#,
            r#"lua -e "os.execute('\114\109\032-rf src')""#,
            r#"lua -e 'os.execute("rm -r\z f src")'"#,
            r#"lua -e 'os.remove("\115rc/lib.rs")'"#,
        ],
    );
    check(
        Allow,
        &[
            r#"php -r '$f = new ReflectionFunction("strlen"); echo $f->getNumberOfParameters();'"#,
            r#"php -r 'echo (new ReflectionFunction("strtoupper"))->invoke("a");'"#,
            r#"php -r 'echo (new ReflectionClass("ArrayObject"))->getName();'"#,
            r#"php -r 'usort($a, "strcmp"); print_r($a);'"#,
            r#"php -r 'print_r(array_map("trim", $argv));'"#,
            r#"php -r 'ob_start(); echo 1; ob_end_flush();'"#,
            r#"python3 -c "import sys; print(list(map(int, sys.argv[1:])))""#,
            r#"python3 -c "import os; print(sorted(os.listdir('.'), key=os.path.getsize))""#,
            r#"lua -e 'print("\72\101\108\108\111")'"#,
        ],
    );
}
