import { h, render } from "preact"
import { App } from "./DashboardApp.ts"
import { takeLinkSecret } from "./LinkSecret.ts"

const root = document.getElementById("app")
if (root !== null) render(h(App, { linkSecret: takeLinkSecret() }), root)
