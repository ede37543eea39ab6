import type { Format } from "../../src/document/formats/Formats.ts"

export const subtitles: Format = {
  mimeType: "application/x-subrip",
  aliases: ["text/srt"],
  matches: (bytes) => /^1\r?\n\d\d:\d\d:\d\d,\d{3} -->/u.test(Buffer.from(bytes.subarray(0, 40)).toString()),
  load: async () => (await import("./Subtitles.ts")).load()
}
