// Renders a chart like `helm template`, with the same template engine, on a machine without Helm:
// go run render.go <release> <chart> <values file>. It has only those of Helm's functions that the chart uses.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := render(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

func render(release, chart, values string) error {
	given, err := read(filepath.Join(chart, "values.yaml"))
	if err != nil {
		return err
	}
	own, err := read(values)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*.yaml"))
	if err != nil {
		return err
	}
	functions := sprig.TxtFuncMap()
	for _, name := range []string{"env", "expandenv"} {
		delete(functions, name)
	}
	functions["toYaml"] = func(value any) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["required"] = func(words string, value any) (any, error) {
		if value == nil || value == "" {
			return nil, errors.New(words)
		}
		return value, nil
	}
	data := map[string]any{
		"Values":  laidOver(given, own),
		"Release": map[string]any{"Name": release, "Namespace": "default", "Service": "Helm"},
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		parsed, err := template.New(filepath.Base(file)).Option("missingkey=zero").Funcs(functions).Parse(string(text))
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := parsed.Execute(&out, data); err != nil {
			return err
		}
		fmt.Printf("---\n# Source: %s\n%s\n", filepath.Base(file), strings.ReplaceAll(out.String(), "<no value>", ""))
	}
	return nil
}

func read(file string) (map[string]any, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	return values, yaml.Unmarshal(text, &values)
}

func laidOver(under, over map[string]any) map[string]any {
	for name, value := range over {
		above, isMap := value.(map[string]any)
		below, wasMap := under[name].(map[string]any)
		if isMap && wasMap {
			under[name] = laidOver(below, above)
		} else {
			under[name] = value
		}
	}
	return under
}
