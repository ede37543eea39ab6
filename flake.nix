{
  description = "docflow runs named, versioned document flows over a REST API.";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      forAll = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});

      # package-lock.json holds a checksum for every package but no address, so that any mirror can serve it.
      # Nix wants addresses: they are made here, with the registry that nixpkgs itself downloads pnpm from.
      lockWithAddresses =
        pkgs:
        let
          inherit (pkgs) lib;
          lock = lib.importJSON ./package-lock.json;
          registry = lib.head (lib.splitString "pnpm/-/" pkgs.pnpm_10.src.url);
          address =
            path: entry:
            let
              name = entry.name or (lib.last (lib.splitString "node_modules/" path));
              file = "${lib.last (lib.splitString "/" name)}-${entry.version}.tgz";
            in
            entry
            // lib.optionalAttrs (path != "" && entry ? integrity) {
              resolved = "${registry}${name}/-/${file}";
            };
        in
        lock // { packages = lib.mapAttrs address lock.packages; };

      docflow =
        pkgs:
        pkgs.buildNpmPackage {
          pname = "docflow";
          inherit (pkgs.lib.importJSON ./package.json) version;
          src = self;
          nodejs = pkgs.nodejs_24;
          npmDeps = pkgs.importNpmLock {
            npmRoot = ./.;
            packageLock = lockWithAddresses pkgs;
          };
          npmConfigHook = pkgs.importNpmLock.npmConfigHook;
          # The install scripts fetch a Node.js and unpack a PostgreSQL; Nix brings its own.
          npmFlags = [ "--ignore-scripts" ];
          npmRebuildFlags = [ "--ignore-scripts" ];
          npmPackFlags = [ "--ignore-scripts" ];
          meta = {
            description = "Runs named, versioned document flows over a REST API";
            license = pkgs.lib.licenses.mit;
            mainProgram = "docflow";
          };
        };

      serve =
        pkgs:
        pkgs.writeShellApplication {
          name = "docflow-serve";
          runtimeInputs = [ pkgs.tesseract ];
          text = ''
            export DOCFLOW_FLOWS_DIR="''${DOCFLOW_FLOWS_DIR:-${self}/flows}"
            exec ${pkgs.lib.getExe (docflow pkgs)} serve "$@"
          '';
        };
    in
    {
      packages = forAll (pkgs: { default = docflow pkgs; });

      apps = forAll (pkgs: {
        default = {
          type = "app";
          program = pkgs.lib.getExe (serve pkgs);
          meta.description = "Starts the service";
        };
      });

      devShells = forAll (pkgs: {
        default = pkgs.mkShell {
          packages = [
            pkgs.nodejs_24
            pkgs.postgresql
            pkgs.tesseract
            pkgs.poppler_utils
          ]
          # nixpkgs builds chromium for Linux only; elsewhere the browser tests use the one that is installed.
          ++ pkgs.lib.optional pkgs.stdenv.isLinux pkgs.chromium;
        };
      });

      formatter = forAll (pkgs: pkgs.nixfmt-rfc-style);
    };
}
