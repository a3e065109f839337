/** What a file's name says: `Employee_handbook-2026.pdf` is about an employee handbook. */
export const titleOf = (fileName: string): string => fileName.replace(/\.[^.]+$/, '').replace(/[_\-.]+/g, ' ')
