/** A title from the file name: `Employee_handbook-2026.pdf` is about an employee handbook. */
export const titleOf = (fileName: string): string => fileName.replace(/\.[^.]+$/, '').replace(/[_\-.]+/g, ' ')
