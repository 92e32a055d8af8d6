package bench

import (
	"embed"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

//go:embed pages/*.tmpl
var pageFiles embed.FS

var pageTemplates = template.Must(template.New("").Option("missingkey=zero").Funcs(template.FuncMap{
	"ms":     console.MS,
	"number": console.Figure,
	"count":  func(n int) string { return console.Figure(float64(n)) },
	"div":    func(a, b float64) float64 { return a / b },
	"mul":    func(a, b float64) float64 { return a * b },
	"image": func(text, file string) string {
		if file == "" {
			return ""
		}
		return "\n\n![" + text + "](" + file + ")"
	},
}).ParseFS(pageFiles, "pages/*.tmpl"))

// page is what every page shows; views of suites embed it.
type page struct {
	Report
	Cases  []*caseRow // the suite's results by case, in order
	charts map[string]drawing
	file   string // of the first chart; "" where charts are not written
}

// newPage returns the page of a suite's results.
func newPage(report Report, suite string, charts map[string]drawing, file string) page {
	return page{report, casesOf(report.Of(suite)), charts, file}
}

// writePage writes a page by the template of its suite.
func writePage(w io.Writer, name string, view any) error {
	return pageTemplates.ExecuteTemplate(w, name+".md.tmpl", view)
}

// Day is the date of the report.
func (p page) Day() string {
	day, _, _ := strings.Cut(p.Date, "T")
	return day
}

// Chart is the file of a chart beside the page; "" where it is not written.
func (p page) Chart(suffix string) string {
	if _, ok := p.charts[suffix]; !ok || p.file == "" {
		return ""
	}
	return filepath.Base(chartFile(p.file, suffix))
}

// GrowthOf are the fits of a suite.
func (p page) GrowthOf(suite string) []growthFit { return p.fits(suite) }

// caseRow is a case with its results.
type caseRow struct {
	Name string
	by   map[string]*Result
	Any  *Result // by the first method
}

// By is the result by a method, or nil.
func (c *caseRow) By(method string) *Result { return c.by[method] }

// casesOf groups results by case, in order. Of several by one method the first counts.
func casesOf(results []Result) (rows []*caseRow) {
	for i := range results {
		r := &results[i]
		k := slices.IndexFunc(rows, func(c *caseRow) bool { return c.Name == r.Case })
		if k < 0 {
			k = len(rows)
			rows = append(rows, &caseRow{r.Case, map[string]*Result{}, r})
		}
		if rows[k].by[r.Method] == nil {
			rows[k].by[r.Method] = r
		}
	}
	return rows
}

// Of are the results of a suite.
func (r Report) Of(suite string) []Result {
	return slices.DeleteFunc(slices.Clone(r.Results), func(result Result) bool { return result.Suite != suite })
}
