"""The channels of disguised columns, as the form of a release offers them: a module each, and its line in CHANNELS."""

from surveys.releases.channels import coin, wave
from surveys.releases.channels.channel import FormChannel

CHANNELS: tuple[FormChannel, ...] = (coin.CHANNEL, wave.CHANNEL)
