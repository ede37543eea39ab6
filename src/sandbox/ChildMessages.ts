/**
 * What this process and its child processes have in common in the way they talk: each answer of a child has the member
 * `answer`, which says what it is.
 */

/**
 * Makes the test whether a message of a child is one of its answers. Child and parent are one program, so the tag decides.
 */
export const isAnswerAmong = <A extends { readonly answer: string }>(
  tags: ReadonlyArray<A["answer"]>
): ((message: unknown) => message is A) => {
  const known: ReadonlySet<unknown> = new Set(tags)
  return (message): message is A =>
    typeof message === "object" && message !== null && "answer" in message && known.has(message.answer)
}

/** Sends an answer from the child to its parent; resolves once it is written, or at once without a parent. */
export const sendToParent = (answer: object): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined) resolve()
    else process.send(answer, undefined, undefined, () => resolve())
  })
