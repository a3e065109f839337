let keys = 0

/** For a row of a form, which has no id yet. */
export const newKey = () => `row-${++keys}`
