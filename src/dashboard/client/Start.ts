import { h, render } from "preact"
import { App } from "./DashboardApp.ts"
import { ignoreStrayFiles } from "./DropZone.ts"
import { keepFocus } from "./KeepFocus.ts"
import { followLinks, takeLinkSecret } from "./LinkSecret.ts"
import { followHistory } from "./Router.ts"

const root = document.getElementById("app")
const linkSecret = takeLinkSecret()
followLinks()
followHistory()
ignoreStrayFiles()
if (root !== null) {
  keepFocus(root)
  render(h(App, { linkSecret }), root)
}
