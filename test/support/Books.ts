/** What each transfer does to its two accounts. */
const postings = `(
  select organization_id, execution_id, source as account, -amount as amount from ledger
  union all select organization_id, execution_id, target, amount from ledger)`

/** Statements that find nothing when the credits add up; each has a name that says what is wrong with what it finds. */
const violations: Readonly<Record<string, string>> = {
  "balance is not the sum of the postings": `
    select o.id from organizations o
    left join (select organization_id,
                      sum(amount) filter (where account = 'available') as available
               from ${postings} p group by organization_id) p on p.organization_id = o.id
    where o.available + o.reserved <> coalesce(p.available, 0)`,
  "an account of a pair does not exist":
    "select id from ledger where (source, target) not in (('granted', 'available'), ('available', 'spent'))",
  "a balance is negative": "select id from organizations where available < 0 or reserved < 0",
  "what is reserved is not what unfinished executions reserved": `
    select o.id from organizations o
    left join (select organization_id, sum(reserved) as reserved from executions
               where status in ('pending', 'running') group by organization_id) e on e.organization_id = o.id
    where o.reserved <> coalesce(e.reserved, 0)`,
  "an execution was charged more than was reserved": "select id from executions where charged > reserved",
  "a failed execution was charged": "select id from executions where status = 'failed' and charged <> 0",
  "the ledger has another charge than the execution": `
    select e.id from executions e
    left join ${postings} p on p.execution_id = e.id and p.account = 'spent'
    group by e.id having coalesce(sum(p.amount), 0) <> e.charged`,
  "an execution was charged twice": `
    select execution_id from ledger
    where target = 'spent' and execution_id is not null
    group by execution_id having count(*) > 1`,
  "a test execution cost something":
    "select id from executions where environment = 'test' and (reserved <> 0 or charged <> 0)"
}

/** What is wrong with the credits in a database; nothing, it is hoped. */
export const booksProblems = async (
  rows: (statement: string) => Promise<ReadonlyArray<object>>
): Promise<ReadonlyArray<{ readonly wrong: string; readonly rows: ReadonlyArray<object> }>> => {
  const problems = []
  for (const [wrong, statement] of Object.entries(violations)) {
    const found = await rows(statement)
    if (found.length > 0) problems.push({ wrong, rows: found })
  }
  return problems
}
