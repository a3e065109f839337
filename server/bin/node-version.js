// Plain JavaScript: an older Node must be able to parse it.

/** 24.7 brought argon2 into node:crypto. */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 7)
}

/** npm has packages with Node 24 for these platforms; frontdesk.js runs the service with them. */
const bundled = ['linux-arm64', 'linux-x64', 'win32-x64']

/** The message for a Node that is too old, where npm installed no newer one. */
export function advice({ version, platform, arch }) {
  const problem = `Frontdesk needs Node 24.7 or newer; this is Node ${version}.`
  if (bundled.includes(`${platform}-${arch}`))
    return `${problem}\nThe package with Node 24 is missing: run "npm ci" without --omit=optional, or install Node 24 from https://nodejs.org.`
  const install =
    platform === 'darwin'
      ? 'Install Node 24 with "brew install node@24", "nvm install 24" or from https://nodejs.org'
      : 'Install Node 24 from https://nodejs.org'
  const name = platform === 'darwin' ? 'macOS' : `${platform}-${arch}`
  return `${problem}\nOn ${name} npm brings no Node along. ${install}, run "npm ci" again, then this.`
}
