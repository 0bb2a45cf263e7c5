// Command pulumi-resource-kubernetes is Pulumi's Kubernetes provider, built from its Go module.
//
// The module's own main embeds two files that are generated and not part of the module; their
// sources are. tools.build copies both beside this file before it compiles.
package main

import (
	_ "embed"
	"fmt"
	"os"
	"slices"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version"
)

//go:embed schema.json
var schema []byte

//go:embed terraform-mapping.json
var terraformMapping []byte

func main() {
	// The provider has no such flag; with it a binary can be told from one of another version.
	if slices.Equal(os.Args[1:], []string{"--version"}) {
		fmt.Println(version.Version)
		return
	}
	provider.Serve("kubernetes", version.Version, schema, terraformMapping)
}
