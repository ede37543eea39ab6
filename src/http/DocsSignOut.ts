/**
 * A script of the reference page, which may be shown in a tab of the dashboard: when another tab signs out, it forgets what was
 * edited here and not saved. The names are those of the dashboard, whose client runs in no other page.
 */
const script = `<script>
      new BroadcastChannel("docflow:session").addEventListener("message", ({ data }) => {
        if (data !== "signed out") return
        for (const name of Object.keys(sessionStorage))
          if (name.startsWith("docflow:edit:")) sessionStorage.removeItem(name)
      })
    </script>
  `

/** The reference page with that script. */
export const withSignOut = (page: string): string => {
  const end = page.lastIndexOf("</body>")
  return `${page.slice(0, end)}${script}${page.slice(end)}`
}
