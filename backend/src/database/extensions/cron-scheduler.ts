import type { Clock } from '#contract/clock.ts'
import type { Logger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { identifier, sql } from '#database/sql.ts'
import { isDueAt, readSchedule, type Schedule } from './cron-schedule.ts'

export interface CronSchedulerOptions {
  clock: Clock
  log: Logger
}

interface Job {
  id: string
  schedule: string
  command: string
  username: string
}

interface Entry {
  job: Job
  schedule: Schedule
  /** Milliseconds since the epoch; for `seconds` schedules. */
  lastRunAt: number
  running: boolean
}

const tickMs = 1_000
const minuteMs = 60_000
/** How many runs are kept. */
const keptRuns = 10_000

/** Runs the jobs of `cron.job` when they are due, in UTC, a job never beside itself. For one process on a database. */
export class CronScheduler {
  readonly #database: Database
  readonly #options: CronSchedulerOptions
  #entries = new Map<string, Entry>()
  #lastMinute: number
  #timer: NodeJS.Timeout | undefined
  #stopListening: (() => Promise<void>) | undefined
  readonly #runs = new Set<Promise<void>>()

  private constructor(database: Database, options: CronSchedulerOptions) {
    this.#database = database
    this.#options = options
    this.#lastMinute = Math.floor(options.clock.now() / minuteMs)
  }

  static async start(database: Database, options: CronSchedulerOptions): Promise<CronScheduler> {
    const scheduler = new CronScheduler(database, options)
    scheduler.#stopListening = await database.listen('portico_cron', () => void scheduler.#readJobs())
    await scheduler.#readJobs()
    for (const entry of scheduler.#entries.values()) if ('atStart' in entry.schedule) scheduler.#begin(entry)
    scheduler.#timer = setInterval(() => scheduler.tick(), tickMs)
    scheduler.#timer.unref()
    return scheduler
  }

  /** Starts what is due. Called every second; a minute that was slept through is not made up for. */
  tick(): void {
    const now = this.#options.clock.now()
    const minute = Math.floor(now / minuteMs)
    for (const entry of this.#entries.values()) {
      const { schedule } = entry
      if ('atStart' in schedule) continue
      const due = 'everySeconds' in schedule ? now - entry.lastRunAt >= schedule.everySeconds * 1_000 : minute > this.#lastMinute && isDueAt(schedule, new Date(now))
      if (due && !entry.running) this.#begin(entry)
    }
    this.#lastMinute = minute
  }

  /** Starts nothing more, and waits for what runs. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#stopListening?.()
    await Promise.all(this.#runs)
  }

  async #readJobs(): Promise<void> {
    try {
      const jobs = await this.#database.asAdmin('postgres', (tx) =>
        tx.many<Job>(sql`select jobid::text as id, schedule, command, username from cron.job where active order by jobid`))
      this.#entries = new Map(jobs.flatMap((job) => this.#entryOf(job)))
    } catch (error) {
      this.#options.log.error('the jobs of pg_cron could not be read', { error })
    }
  }

  #entryOf(job: Job): [string, Entry][] {
    const known = this.#entries.get(job.id)
    if (known?.job.schedule === job.schedule) return [[job.id, Object.assign(known, { job })]]
    try {
      return [[job.id, { job, schedule: readSchedule(job.schedule), lastRunAt: this.#options.clock.now(), running: false }]]
    } catch (error) {
      this.#options.log.warn('a job of pg_cron has a schedule that cannot be read', { jobId: job.id, error })
      return []
    }
  }

  #begin(entry: Entry): void {
    entry.running = true
    entry.lastRunAt = this.#options.clock.now()
    const run = this.#run(entry.job)
      .catch((error: unknown) => this.#options.log.error('a run of pg_cron could not be noted', { jobId: entry.job.id, error }))
      .finally(() => {
        entry.running = false
        this.#runs.delete(run)
      })
    this.#runs.add(run)
  }

  async #run({ id, command, username }: Job): Promise<void> {
    const { runId } = await this.#database.asAdmin('postgres', (tx) => tx.one<{ runId: string }>(sql`
      insert into cron.job_run_details (jobid, database, username, command, status, start_time)
      values (${id}::bigint, current_database(), ${username}, ${command}, 'running', clock_timestamp())
      returning runid::text as "runId"`))
    const failure = await this.#database.script('postgres', `set role ${identifier(username).text};\n${command}`)
      .then(() => undefined, (error: unknown) => (error instanceof Error ? error.message : String(error)))
    if (failure !== undefined) this.#options.log.warn('a job of pg_cron failed', { jobId: id, failure })
    await this.#database.asAdmin('postgres', async (tx) => {
      await tx.execute(sql`
        update cron.job_run_details set status = ${failure === undefined ? 'succeeded' : 'failed'}, return_message = ${failure ?? 'OK'}, end_time = clock_timestamp()
        where runid = ${runId}::bigint`)
      await tx.execute(sql`delete from cron.job_run_details where runid <= ${runId}::bigint - ${keptRuns}`)
    })
  }
}
