import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What each run writes most of costs less. Whoever inserts events or results of steps has made or locked the execution that they
 * belong to, in the same transaction, and whoever removes an execution locks it first and then removes them: to look for it once
 * more for every row was a twentieth of what a run costs in the database.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Processes of the older release go on meanwhile. They lock executions before events and results, and so does this; it must not
  // lock organizations as well, because some of them lock those before executions, others after.
  yield* sql`lock table executions, execution_events, step_results in access exclusive mode`
  yield* sql`alter table execution_events drop constraint execution_events_execution_id_fkey`
  yield* sql`alter table step_results drop constraint step_results_execution_id_fkey`

  // Outputs are JSON, which PostgreSQL's own method compresses slowly; in the embedded database, which has no other one, that was a
  // twelfth of what an invoice costs the whole service, so that outputs are stored as they are. What is stored already stays.
  yield* sql`do $$
    begin
      if exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any (enumvals)) then
        alter table step_results alter column output set compression lz4;
        alter table executions alter column output set compression lz4;
      elsif version() like '%wasm%' then
        alter table step_results alter column output set storage external;
        alter table executions alter column output set storage external;
      end if;
    end $$`
})
