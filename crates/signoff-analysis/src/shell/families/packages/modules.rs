//! Modules of Go by their addresses: whose code `go run` would fetch and run.

use crate::words::is_listed;

/// Where anybody may put code.
const FORGES: &str = "github.com gitlab.com bitbucket.org codeberg.org gitea.com git.sr.ht gitee.com";

/// Hosts of projects that are well known, each with code of its own.
const HOSTS: &str = "\
    golang.org google.golang.org gopkg.in go.uber.org go.dev sigs.k8s.io k8s.io mvdan.cc honnef.co gotest.tools \
    entgo.io gioui.org go.opentelemetry.io cloud.google.com filippo.io modernc.org cuelang.org goa.design storj.io \
    fyne.io golang.zx2c4.com connectrpc.com buf.build dagger.io";

/// Those on a forge whose tools for the work on sources are well known.
const OWNERS: &str = "\
    99designs a-h aarondl abice air-verse alvaroloe anchore aquasecurity axw boumenot bufbuild cespare charmbracelet cilium \
    client9 cli cosmtrek daixiang0 danielgtaylor deepmap dmarkham dominikh ent evilmartians fatih fullstorydev fzipp getkin \
    go-delve go-gorm go-jet go-swagger go-task goccy gogo gohugoio golang golang-jwt golang-migrate golangci google \
    google-cloud-tools googleapis gordonklaus goreleaser gotestyourself grpc grpc-ecosystem hashicorp incu6us itchyny \
    jandelgado jesseduffield jondot josephspurrier jstemmer kisielk kubernetes kubernetes-sigs kyleconroy labstack magefile \
    mailru matryer mattn maxbrunsfeld mgechev mikefarah nats-io nishanths oapi-codegen ogen-go onsi open-telemetry ory \
    pressly princjef prometheus protocolbuffers quasilyte rakyll rillig rubenv rs securego segmentio sigstore spf13 sqlc-dev \
    squizzlez stephens2424 stretchr swaggo tinylib tsenart twitchtv uber uber-go unused vektra volatiletech vburenin wagoodman wasilibs \
    xo zeromicro";

/// How a call of `go` takes modules that the project does not hold yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fetch {
    /// Only by a version that stands behind the address: others are what the project holds already.
    Versions,
    /// Whatever is missing: `-mod=mod`.
    Missing,
}

/// Whether a package that `go run` is given is fetched from somebody whom nobody knows.
pub(super) fn is_foreign(package: &str, fetch: Fetch) -> bool {
    let (path, version) = package.split_once('@').map_or((package, None), |(path, version)| (path, Some(version)));
    if version.is_none() && fetch == Fetch::Versions {
        return false;
    }
    let mut parts = path.split('/');
    let host = parts.next().unwrap_or_default();
    if !host.contains('.') || host.starts_with('.') || path.ends_with(".go") {
        return false;
    }
    if is_listed(FORGES, host) {
        return !is_listed(OWNERS, parts.next().unwrap_or_default());
    }
    !is_listed(HOSTS, host)
}

#[cfg(test)]
mod tests {
    use super::{Fetch, is_foreign};

    #[test]
    fn only_what_is_fetched_from_strangers_is_foreign() {
        for package in ["github.com/x/y@latest", "gitlab.com/a/b/cmd/c@v1", "example.com/x@main", "github.com@v1"] {
            assert!(is_foreign(package, Fetch::Versions), "{package}");
        }
        let own = ["./cmd/x", ".", "main.go", "cmd/x", "github.com/x/y", "golang.org/x/tools/cmd/stringer@latest"];
        for package in own.into_iter().chain(["github.com/golang/mock/mockgen@v1.6.0", "../x@y", ""]) {
            assert!(!is_foreign(package, Fetch::Versions), "{package}");
        }
        assert!(is_foreign("github.com/x/y", Fetch::Missing));
        assert!(!is_foreign("./x", Fetch::Missing));
    }
}
