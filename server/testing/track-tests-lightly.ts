import hooks, { AsyncLocalStorage, AsyncResource, type AsyncResourceOptions } from 'node:async_hooks'

/**
 * Loaded before `node:test` by run.ts. To know which test some code belongs to, Node's test runner watches each promise
 * of the process from its start until it is collected, also those of the service. That took a quarter of the CPU time of
 * our test files (10.1 instead of 7.4 s for two of them), so here the test runner is given a context that follows
 * promises by itself. The runner uses three things of `async_hooks`: it registers its tests with a hook, runs each as a
 * resource, and asks for the id of the current one.
 */
const current = new AsyncLocalStorage<number>()
let register: ((id: number, type: string, trigger: number, resource: object) => void) | undefined

class TestResource extends AsyncResource {
  constructor(type: string, options?: AsyncResourceOptions) {
    super(type, options)
    register?.(this.asyncId(), type, this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Args extends unknown[], Result>(
    work: (this: This, ...args: Args) => Result,
    self?: This,
    ...args: Args
  ): Result {
    // Within the scope, which restores the context in which the resource was made.
    return super.runInAsyncScope(() => current.run(this.asyncId(), () => Reflect.apply(work, self as This, args)))
  }
}

const { executionAsyncId, createHook } = hooks
Object.assign(hooks, {
  AsyncResource: TestResource,
  executionAsyncId: () => current.getStore() ?? 0,
  createHook({ init }: { init: typeof register }) {
    register = init
    return { enable: () => {}, disable: () => {} }
  },
})
await import('node:test')
Object.assign(hooks, { AsyncResource, executionAsyncId, createHook })
