import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startInstalledPostgres } from '../installed-postgres.ts'
import { startLoad } from '../load.ts'
import { startProcess, temporaryFolder, until } from '../process.ts'
import { startTestSimulator } from '../simulator.ts'

/** Every fsync of PostgreSQL takes as many milliseconds more as a file says, by a library that it loads first. */

const key = `svc_sk_test_${'s'.repeat(40)}`
const recipients = 1_500

const source = (file: string) => `
  #define _GNU_SOURCE
  #include <dlfcn.h>
  #include <stdio.h>
  #include <unistd.h>
  static void wait_for_disk(void) {
    int ms = 0;
    FILE *file = fopen("${file}", "r");
    if (!file) return;
    if (fscanf(file, "%d", &ms) != 1) ms = 0;
    fclose(file);
    usleep(ms * 1000);
  }
  typedef int (*sync_call)(int);
  int fsync(int fd) { wait_for_disk(); return ((sync_call)dlsym(RTLD_NEXT, "fsync"))(fd); }
  int fdatasync(int fd) { wait_for_disk(); return ((sync_call)dlsym(RTLD_NEXT, "fdatasync"))(fd); }`

test('with a slow disk writes are slow and none is lost, and no lease is lost by it', async (t) => {
  const folder = await temporaryFolder()
  // PostgreSQL runs as its own user.
  chmodSync(folder, 0o755)
  const [delay, library] = [join(folder, 'delay'), join(folder, 'slow-disk.so')]
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-x', 'c', '-o', library, '-', '-ldl'], { input: source(delay) })
  } catch (error) {
    return t.skip(`needs a C compiler: ${(error as Error).message.split('\n')[0]}`)
  }
  const postgres = await startInstalledPostgres({ max_connections: '200' }, { preload: library })
  if (!postgres) return t.skip('no PostgreSQL of the distribution is installed')
  t.after(() => postgres.stop())
  const simulator = await startTestSimulator()
  const { url } = await startProcess(await temporaryFolder(), {
    DATABASE_URL: postgres.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    SIMULATOR_URL: simulator.url,
    BOOTSTRAP_API_KEY: key,
    DEMO_DATA: 'false',
    RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'fatal',
  })
  const load = await startLoad({ url, key, databaseUrl: postgres.url, simulator }, recipients)
  for (const ms of [200, 1_000]) {
    writeFileSync(delay, String(ms))
    const began = performance.now()
    await load.writers.more(40)
    const ready = await fetch(`${url}/readyz`)
    t.diagnostic(
      `${ms} ms per fsync: ${((performance.now() - began) / 40).toFixed(0)} ms per write of 8 clients; ` +
        `/readyz ${ready.status}`,
    )
  }
  writeFileSync(delay, '0')
  await load.writers.more(200)
  await until(async () => (await fetch(`${url}/readyz`)).status === 200)
  const seen = await load.finish()
  t.diagnostic(seen.summary)
  assert.deepEqual([seen.lost, seen.repeated], [0, 0])
  // No worker was lost, so nothing may be unknown.
  assert.deepEqual([seen.sent, seen.unknown], [recipients, 0])
})
