import type { SetScore } from "../../services/test-sets/TestScores.ts"

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;"
}

/** Text of XML 1.0, which has no control characters. */
const xml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"]/gu, (sign) => escapes[sign] ?? sign)

const caseXml = (set: string, name: string, failures: ReadonlyArray<string>): string =>
  failures.length === 0
    ? `    <testcase classname="${xml(set)}" name="${xml(name)}"/>`
    : `    <testcase classname="${xml(set)}" name="${xml(name)}"><failure message="${xml(failures[0] ?? "")}">${xml(failures.join("\n"))}</failure></testcase>`

/** The results as JUnit XML, which CI servers read: a suite for each test set, a test for each case. */
export const junitOf = (
  flow: string,
  sets: ReadonlyArray<{ readonly file: string; readonly score: SetScore }>
): string => {
  const suites = sets.map(({ file, score: { cases, failures } }) => {
    const failed = Map.groupBy(failures, (failure) => failure.case)
    return [
      `  <testsuite name="${xml(file)}" tests="${cases.length}" failures="${failed.size}">`,
      ...cases.map(({ name }) =>
        caseXml(
          file,
          name,
          (failed.get(name) ?? []).map(({ message }) => message)
        )
      ),
      "  </testsuite>"
    ].join("\n")
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(flow)}">`,
    ...suites,
    "</testsuites>",
    ""
  ].join("\n")
}
