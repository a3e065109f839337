/** Pending work. Tasks are plain data, so that they can be stored when the simulator ends. */
interface Task {
  at: number
}

interface Schedule<T extends Task> {
  add(task: T): void
  /** Removes and returns everything pending. */
  drain(): T[]
  readonly size: number
}

/** One timer for any number of tasks, in a heap with the earliest on top. */
export function createSchedule<T extends Task>(run: (task: T) => void): Schedule<T> {
  let heap: T[] = []
  let timer: NodeJS.Timeout | undefined
  let wakesAt = Infinity

  function push(task: T): void {
    let i = heap.push(task) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if ((heap[parent] as T).at <= task.at) break
      heap[i] = heap[parent] as T
      i = parent
    }
    heap[i] = task
  }

  function pop(): T {
    const top = heap[0] as T
    const last = heap.pop() as T
    if (heap.length === 0) return top
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && (heap[child + 1] as T).at < (heap[child] as T).at) child++
      if ((heap[child] as T).at >= last.at) break
      heap[i] = heap[child] as T
      i = child
    }
    heap[i] = last
    return top
  }

  function wake(): void {
    wakesAt = Infinity
    const now = Date.now()
    while (heap.length > 0 && (heap[0] as T).at <= now) run(pop())
    setTimer()
  }

  function setTimer(): void {
    const next = heap[0]?.at ?? Infinity
    if (next >= wakesAt || next === Infinity) return
    clearTimeout(timer)
    wakesAt = next
    // Timers reach 24 days ahead at most; waking too early does no harm.
    timer = setTimeout(wake, Math.min(Math.max(0, next - Date.now()), 2 ** 31 - 1)).unref()
  }

  return {
    add(task) {
      push(task)
      setTimer()
    },
    drain() {
      clearTimeout(timer)
      wakesAt = Infinity
      const left = heap
      heap = []
      return left.sort((a, b) => a.at - b.at)
    },
    get size() {
      return heap.length
    },
  }
}
