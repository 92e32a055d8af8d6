package report

import (
	"embed"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/chart"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

//go:embed pages/*.tmpl
var pageFiles embed.FS

// texts are those of suites: help, tables on standard output (SUITE.txt.tmpl) and pages
// (SUITE.md.tmpl).
var texts = template.New("").Option("missingkey=zero")

func init() {
	texts.Funcs(template.FuncMap{
		"ms":     func(v any) string { return console.MS(number(v)) },
		"number": func(v any) string { return console.Figure(number(v)) },
		"add":    func(a, b any) float64 { return number(a) + number(b) },
		"sub":    func(a, b any) float64 { return number(a) - number(b) },
		"mul":    func(a, b any) float64 { return number(a) * number(b) },
		"div":    func(a, b any) float64 { return number(a) / number(b) },
		"either": func(all []int) string {
			var words []string
			for _, n := range all {
				words = append(words, console.Figure(float64(n)))
			}
			return strings.Join(words, " or ")
		},
		"passes":  func() []string { return Passes },
		"list":    func(all ...any) []any { return all },
		"include": Text,
		"image": func(text, file string) string {
			if file == "" {
				return ""
			}
			return "\n\n![" + text + "](" + file + ")"
		},
	})
	template.Must(texts.ParseFS(pageFiles, "pages/*.tmpl"))
}

// Text executes a template. It panics on an error, which is one of the program.
func Text(name string, data any) string {
	var b strings.Builder
	if err := texts.ExecuteTemplate(&b, name, data); err != nil {
		panic(err)
	}
	return b.String()
}

// Values are what a template shows, by name.
type Values map[string]any

// suites are the values and charts of pages; charts are by the suffix of their file.
var suites = map[string]struct {
	values func(Report) Values
	charts func(Report) map[string]chart.Drawing
}{
	SPM:       {spmValues, spmCharts},
	Avoidance: {avoidanceValues, avoidanceCharts},
	BVP:       {bvpValues, bvpCharts},
}

// Charts returns the drawings of a suite that results exist for, by file: that of the first chart,
// and this with a suffix.
func (r Report) Charts(suite, file string) map[string]chart.Drawing {
	all := map[string]chart.Drawing{}
	for suffix, c := range suites[suite].charts(r) {
		if !c.Empty() {
			all[chartFile(file, suffix)] = c
		}
	}
	return all
}

func chartFile(file, suffix string) string {
	ending := filepath.Ext(file)
	return strings.TrimSuffix(file, ending) + suffix + ending
}

// Write writes the part of a suite's texts that follows from the report, with further values: "end"
// of the table, or "page", beside which the charts of a file are; "" where there are none.
func (r Report) Write(w io.Writer, suite, part, file string, facts Values) error {
	values := suites[suite].values(r)
	maps.Copy(values, facts)
	shown := map[string]string{} // files by suffix, beside the page
	for suffix, c := range suites[suite].charts(r) {
		if file != "" && !c.Empty() {
			shown[suffix] = filepath.Base(chartFile(file, suffix))
		}
	}
	day, _, _ := strings.Cut(r.Date, "T")
	values["Report"], values["Charts"], values["Day"] = r, shown, day
	return texts.ExecuteTemplate(w, suite+" "+part, values)
}

// Row is a case with its results.
type Row struct {
	Name  string
	First Result
	By    map[string]*Result // by method
}

// cases groups results by case, in order. Of several by one method the first counts.
func cases(results []Result) (rows []*Row) {
	known := map[string]*Row{}
	for _, r := range results {
		c := known[r.Case]
		if c == nil {
			c = &Row{r.Case, r, map[string]*Result{}}
			known[r.Case], rows = c, append(rows, c)
		}
		if c.By[r.Method] == nil {
			c.By[r.Method] = &r
		}
	}
	return rows
}
