/** Whether this node takes new calls: closed while it drains. The calls that it holds continue. */
export interface Admission {
  isOpen: boolean
}
