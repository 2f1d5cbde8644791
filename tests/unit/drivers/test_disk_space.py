from __future__ import annotations

import shutil

import pytest

from hdictl.drivers.disk_space import free_space, require_space, shares
from hdictl.errors import DiskFull


def test_too_little_room_names_folder_figures_and_way_out(tmp_path):
    with pytest.raises(DiskFull) as failure:
        require_space(tmp_path, 500 << 20, what="a cluster", variable="HDICTL_STATE_DIR", free=lambda _folder: 3 << 20)
    assert failure.value.what == "a cluster needs 500 MB, 3 MB are free"
    assert failure.value.where == str(tmp_path)
    assert "HDICTL_STATE_DIR" in failure.value.fix


def test_enough_room_is_silent(tmp_path):
    assert free_space(tmp_path) > 0
    require_space(tmp_path, 1, what="a byte", variable="HDICTL_STATE_DIR")


def test_brokers_on_one_disk_share_what_is_free(tmp_path):
    folders = {1001: tmp_path / "a", 1002: tmp_path / "b", 1003: tmp_path / "not-there"}
    folders[1001].mkdir()
    folders[1002].mkdir()
    found = shares(folders)
    assert set(found) == {1001, 1002}
    assert 0 < sum(found.values()) <= shutil.disk_usage(tmp_path).total
