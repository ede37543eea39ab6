import { h, render } from "preact"
import { App } from "./DashboardApp.ts"
import { takeLinkSecret } from "./LinkSecret.ts"
import { followHistory } from "./Router.ts"

const root = document.getElementById("app")
const linkSecret = takeLinkSecret()
followHistory()
if (root !== null) render(h(App, { linkSecret }), root)
