import { existsSync } from "node:fs"
import { type Browser as Chromium, type BrowserContext, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"

/** The program without a user interface opens a window for a quarter of the CPU time that the whole browser needs. */
const programs = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]
const executablePath = programs.find((program) => existsSync(program))

/** Whether there is a browser to test with. */
export const hasChromium = executablePath !== undefined

const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** What a browser did that nobody wants to see. */
export interface Watched {
  /** Errors on the console and in scripts; what the Content-Security-Policy forbids is among them. */
  readonly errors: ReadonlyArray<{ readonly text: string; readonly url?: string }>
  /** Every origin that a request was sent to. */
  readonly origins: ReadonlySet<string>
}

/** A browser of its own: a window with its own cookies, and what was seen of it. */
export class Browser {
  readonly #chromium: Chromium
  readonly #errors: Array<{ readonly text: string; readonly url?: string }> = []
  readonly #origins = new Set<string>()

  constructor(chromium: Chromium) {
    this.#chromium = chromium
  }

  /** What all windows did. */
  get watched(): Watched {
    return { errors: this.#errors, origins: this.#origins }
  }

  /** Opens a window with cookies of its own. */
  async open(options: Parameters<Chromium["newContext"]>[0] = {}): Promise<Page> {
    const context = await this.#chromium.newContext({ locale: "en-GB", timezoneId: "UTC", ...options })
    context.setDefaultTimeout(60_000)
    this.#watch(context)
    return context.newPage()
  }

  #watch(context: BrowserContext): void {
    context.on("request", (request) => this.#origins.add(new URL(request.url()).origin))
    context.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return
      this.#errors.push({ text: message.text(), url: message.location().url })
    })
    context.on("weberror", (error) => this.#errors.push({ text: String(error.error()) }))
  }

  /** Forgets an error that a test provoked; fails the test when there was none. */
  forgive(error: RegExp): void {
    const index = this.#errors.findIndex(({ text }) => error.test(text))
    if (index === -1) throw new Error(`no ${error} among ${JSON.stringify(this.#errors)}`)
    this.#errors.splice(index, 1)
  }
}

/** A browser for the tests of a file. */
export const useBrowser = (): { readonly it: Browser } => {
  let chrome: Chromium | undefined
  let started: Browser | undefined
  beforeAll(async () => {
    if (executablePath === undefined) return
    // Without a folder given, each start has a new, empty profile.
    chrome = await chromium.launch({ executablePath, args })
    started = new Browser(chrome)
  })
  afterAll(() => chrome?.close())
  return {
    get it() {
      if (started === undefined) throw new Error("the browser is not started yet")
      return started
    }
  }
}
