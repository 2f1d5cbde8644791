"""The phases for what a service makes: clusters, networks, storage.

foundation   stack + what Azure holds → changes, refusals, notes      reads only
preflight    Azure's own dry runs → refusals, notes                   changes nothing
wait         what was started, here or by a run that died, is followed to its end
build        deploys what is missing, then updates what is there
update       one field of a living cluster, by its API
scale, destroy, status: the commands of the same names
"""
