/** Whether this node takes new calls: closed while it drains. The calls that it holds go on. */
export interface Admission {
  isOpen: boolean
}
