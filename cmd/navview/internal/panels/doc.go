// Package panels shows a studio with Dear ImGui, by the UI of package gui: menus, tools, the outline
// and the inspector of the document, time, plots, an agent's mind, and dialogs. Panels read the
// studio and change it by its methods and actions alone; they keep nothing of the document.
//
// Panels.Frame (panels.go) draws all of it. Each other file is one panel.
package panels
