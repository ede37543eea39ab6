import { h, render } from "preact"
import { App } from "./DashboardApp.ts"
import { ignoreStrayFiles } from "./elements/DropZone.ts"
import { keepFocus } from "./elements/KeepFocus.ts"
import { followLinks, takeLinkSecret } from "./session/LinkSecret.ts"
import { followHistory } from "./elements/Router.ts"

const root = document.getElementById("app")
const linkSecret = takeLinkSecret()
followLinks()
followHistory()
ignoreStrayFiles()
if (root !== null) {
  keepFocus(root)
  render(h(App, { linkSecret }), root)
}
