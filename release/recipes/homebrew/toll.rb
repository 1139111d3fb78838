class Toll < Formula
  desc "Profiler that counts what every call costs in a virtual machine's programs"
  homepage "@HOME@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@HOME@/releases/download/v@VERSION@/toll-@VERSION@-aarch64-macos.tar.gz"
      sha256 "@SHA256:toll-@VERSION@-aarch64-macos.tar.gz@"
    end
    on_intel do
      url "@HOME@/releases/download/v@VERSION@/toll-@VERSION@-x86_64-macos.tar.gz"
      sha256 "@SHA256:toll-@VERSION@-x86_64-macos.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@HOME@/releases/download/v@VERSION@/toll-@VERSION@-aarch64-linux-musl.tar.gz"
      sha256 "@SHA256:toll-@VERSION@-aarch64-linux-musl.tar.gz@"
    end
    on_intel do
      url "@HOME@/releases/download/v@VERSION@/toll-@VERSION@-x86_64-linux-musl.tar.gz"
      sha256 "@SHA256:toll-@VERSION@-x86_64-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "bin/toll"
    lib.install Dir["lib/*"]
    include.install Dir["include/*"]
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/toll"
    zsh_completion.install "share/zsh/site-functions/_toll"
    fish_completion.install "share/fish/vendor_completions.d/toll.fish"
    pkgshare.install Dir["share/toll/*"] if Dir.exist?("share/toll") # for guests of WebAssembly
  end

  test do
    (testpath/"p.folded").write "main;f 2\n"
    assert_match "main", shell_output("#{bin}/toll report p.folded")
  end
end
